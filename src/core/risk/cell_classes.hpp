#pragma once

#include <vector>

#include "risk/cells.hpp"
#include "risk/refinement.hpp"

namespace anonkit {

/// The classes of the rows of relations with the same columns, one relation after the other: rows
/// are in the same class if their cells are equal, ranges by both ends. O(n log n) per column of
/// numbers, O(n) per column of categories.
Grouping cell_classes(const std::vector<const Cells*>& relations, Ticker& ticker);

}  // namespace anonkit
