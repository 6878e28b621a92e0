#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "model/row_classes.hpp"

namespace anonkit {

/// The number of other columns that are constant within each value of this one. Columns of one
/// value do not count, since every column determines them. O(n) a column, which ends at the first
/// contradiction.
int determined_columns(const std::vector<CodedColumn>& columns, std::size_t by, std::int64_t rows,
                       Ticker& ticker);

}  // namespace anonkit
