#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// A hierarchy out of what a column of numbers, dates or timestamps holds now, as JSON: at the
/// lowest level fanout^levels intervals of like frequency, at each level fanout of them together.
/// Cuts are values of the column; nulls and values that are not finite do not count. To be called
/// in an SPI session. Errors: a column of another type, fewer than two distinct values.
char* frequency_cuts(Oid relation, const char* column, int fanout, int levels);

}  // namespace anonkit::pg
