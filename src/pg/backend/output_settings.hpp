#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// Pins the settings that decide how values are written as texts, so that the same values make the
/// same texts for everybody, until unpin_output_settings or an error. Returns what that takes.
int pin_output_settings();
void unpin_output_settings(int nest);

}  // namespace anonkit::pg
