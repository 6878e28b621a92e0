#pragma once

// The records of the largest cost, within a budget.
//
// Phases: group records that are equal in all quasi-identifiers into points; choose points in
// descending order of mean cost while they fit. Invariant: for costs that depend only on
// quasi-identifiers, so does the choice; the order of the rows has no effect. Memory: a number per
// point.
//
//   costliest_records(table, order, costs, 10, ticker)  // at most ten rows of the table

#include <vector>

#include "base/ticker.hpp"
#include "table/table.hpp"

namespace anonkit {

/// Chooses points of the largest mean cost above 0 within `budget` records. A point that does not
/// fit is skipped; ties go to the first point in `order`, the canonical order of the table's rows.
/// `costs` has one number per row. Returns rows, ascending. O(n log n).
std::vector<Record> costliest_records(const Table& table, const std::vector<Record>& order,
                                      const std::vector<double>& costs, std::int64_t budget,
                                      Ticker& ticker);

}  // namespace anonkit
