#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "model/row_classes.hpp"

namespace anonkit {

/// The effect of single columns on the number of records that are unique by a set of columns.
struct ColumnUniques {
  std::int64_t of_set = 0;            ///< records that the whole set makes unique
  std::vector<std::int64_t> without;  ///< by column of the set: unique by its other columns
  std::vector<std::int64_t> with;     ///< by further column: unique by the set and this column
};

/// Counts them for every column at once. The set is halved again and again: the classes by all
/// columns outside of one half, refined by the columns of the other one, are those outside of a
/// quarter. So m columns need m log m refinements and not m^2. Unique records remain unique, so a
/// refinement reads the others alone. O(n m log m) at worst; 8 bytes per row and halving.
ColumnUniques column_uniques(const std::vector<CodedColumn>& set,
                             const std::vector<CodedColumn>& further, std::int64_t rows,
                             Ticker& ticker);

/// An upper bound of the bytes that it needs.
std::int64_t column_uniques_bytes(std::size_t columns, std::int64_t rows);

}  // namespace anonkit
