#pragma once

// The records of the largest cost, within a budget.
//
//   points    records that are equal in all quasi-identifiers, whole or not at all
//   choice    points in the order of their mean cost, the largest first, while they fit
//
// Invariant: where costs are of quasi-identifiers, nothing else decides, nor does the order of the
// rows. Memory: a number for each point.
//
//   costliest_records(table, order, costs, 10, ticker)  // at most ten rows of the table

#include <vector>

#include "base/ticker.hpp"
#include "table/table.hpp"

namespace anonkit {

/// Chooses points of the largest mean cost above 0 for as long as all of their records are at most
/// `budget`; a point that does not fit is passed over, and of equal costs the point that is first
/// in `order`, which is canonical and holds the rows of the table. `costs` has one number for each
/// row. Returns rows, ascending. O(n log n).
std::vector<Record> costliest_records(const Table& table, const std::vector<Record>& order,
                                      const std::vector<double>& costs, std::int64_t budget,
                                      Ticker& ticker);

}  // namespace anonkit
