#pragma once

// What masking does to single cells of a column, for people who compare a release with its source.
//
//   changed      the share of the published cells that differ from the record's value
//   mean_shift   how far the mean of a number moves, in standard deviations of the source
//
// A range of one value, and a label of level 0, is the value itself. Cells are compared after they
// were rounded to the column's type. Memory: a few numbers for each column.

#include <vector>

#include "base/ticker.hpp"
#include "recode/masked.hpp"

namespace anonkit {

struct CellChanges {
  double changed = 0;         ///< 0 .. 1
  double mean_shift = kNull;  ///< null for categories and for labels
};

/// By column. `cells_of`: by row of the table its row of `masked`, or kNone; `order` is canonical,
/// so that sums do not depend on the order of the rows. A range counts as its middle. O(rows x
/// columns).
std::vector<CellChanges> cell_changes(const Table& table, const std::vector<Record>& order,
                                      const std::vector<std::int32_t>& cells_of,
                                      const Masked& masked, Ticker& ticker);

}  // namespace anonkit
