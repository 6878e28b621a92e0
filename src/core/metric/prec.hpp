#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "recode/masked.hpp"
#include "table/table.hpp"

namespace anonkit {

/// Prec: 1 minus the mean of level/height over the records' cells in columns with a hierarchy
/// (Sweeney 2002, section 4.2). The cells of a suppressed record count as the top level. Null
/// unless levels of a hierarchy are published. `cells_of` as in mean_ncp. O(rows + cells).
double mean_prec(const Table& table, const std::vector<std::int32_t>& cells_of,
                 const Masked& masked, Ticker& ticker);

}  // namespace anonkit
