#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "risk/cells.hpp"

namespace anonkit {

/// A column of some relations in codes, one relation after the other, 0 .. distinct-1.
struct CellCodes {
  std::vector<std::int32_t> codes;
  std::int32_t distinct = 0;
};

/// The codes of a column of categories.
inline CellCodes codes_of_categories(const std::vector<const Cells*>& relations, std::size_t j) {
  CellCodes cells;
  for (const Cells* relation : relations) {
    const CellColumn& column = relation->columns[j];
    cells.codes.insert(cells.codes.end(), column.codes, column.codes + relation->rows);
    cells.distinct = std::max(cells.distinct, column.categories);
  }
  return cells;
}

}  // namespace anonkit
