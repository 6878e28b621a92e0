#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// The shortest decimal that reads back as the same number, independent of extra_float_digits.
Datum shortest_numeric(double number);
Datum shortest_numeric(float number);

}  // namespace anonkit::pg
