#pragma once

// The effect of masking on single cells of a column, for a comparison of a release with its source.
//
//   changed      the share of published cells that differ from the record's value
//   mean_shift   the shift of a number's mean, in standard deviations of the source
//
// A range of one value, and a label of level 0, equal the value. Cells are compared after rounding
// to the column's type. Memory: a few numbers per column.

#include <vector>

#include "base/ticker.hpp"
#include "recode/masked.hpp"

namespace anonkit {

struct CellChanges {
  double changed = 0;         ///< 0 .. 1
  double mean_shift = kNull;  ///< null for categories and for labels
};

/// The changes by column. `cells_of`: by row of the table, its row of `masked`, or kNone. `order`
/// is canonical, so that sums do not depend on the order of the rows. A range counts as its middle.
/// O(rows x columns).
std::vector<CellChanges> cell_changes(const Table& table, const std::vector<Record>& order,
                                      const std::vector<std::int32_t>& cells_of,
                                      const Masked& masked, Ticker& ticker);

}  // namespace anonkit
