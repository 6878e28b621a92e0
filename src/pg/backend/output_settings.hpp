#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// Sets a setting until the nest level of NewGUCNestLevel() ends, or an error.
void set_in_nest(const char* name, const char* value);

/// Pins the settings that affect the texts of values, so that equal values have equal texts for
/// every user, until unpin_output_settings or an error. Returns the argument of that function.
int pin_output_settings();
void unpin_output_settings(int nest);

}  // namespace anonkit::pg
