#pragma once

#include "pg/set/set_promises.hpp"
#include "pg/set/set_reader.hpp"

namespace anonkit::pg {

/// An error (check_violation) unless the tables keep the promises.
void require_levels(const SetRows& rows, const SetPromises& promises);

}  // namespace anonkit::pg
