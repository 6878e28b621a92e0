#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// A hierarchy from the present values of a column of numbers, dates or timestamps, as JSON. The
/// lowest level has fanout^levels intervals of similar frequency, and each level unites fanout of
/// them. Cuts are values of the column; nulls and values that are not finite do not count. Requires
/// an SPI session. Errors: a column of another type, fewer than two distinct values.
char* frequency_cuts(Oid relation, const char* column, int fanout, int levels);

}  // namespace anonkit::pg
