#pragma once

// The records that masking changes most, to be left out of a release.
//
//   errors    of each record by what is published of it: record_errors
//   points    records that are equal in all quasi-identifiers, whole or not at all
//   choice    points in the order of their mean error, the largest first, while they fit
//
// Nothing but quasi-identifiers and the published cells decides, so no value of another column
// favours a record, and the order of the rows is of no influence. Memory: a number for each record.
//
//   costliest_records(table, order, record_errors(...), 10)  // at most ten rows of the table

#include <vector>

#include "base/ticker.hpp"
#include "table/table.hpp"

namespace anonkit {

/// Chooses points of the largest mean error above 0 for as long as all of their records are at most
/// `budget`; a point that does not fit is passed over, and of equal errors the point that is first
/// in `order`, which is canonical and holds the rows of the table. `errors` has one number for each
/// row. Returns rows, ascending. O(n log n).
std::vector<Record> costliest_records(const Table& table, const std::vector<Record>& order,
                                      const std::vector<double>& errors, std::int64_t budget,
                                      Ticker& ticker);

}  // namespace anonkit
