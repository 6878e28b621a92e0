#pragma once

#include <cstdint>
#include <vector>

namespace anonkit {

/// One column of a relation as an attacker or an analyst sees it: numbers, of which ranges are
/// pairs, or categories. Views of memory that somebody else owns.
struct CellColumn {
  const double* low = nullptr;  ///< numbers only; a number v is [v, v]
  const double* high = nullptr;
  const std::int32_t* codes = nullptr;  ///< categories only, from 0; null is a category
  std::int32_t categories = 0;

  bool numeric() const { return low != nullptr; }
  double middle(std::int32_t row) const { return low[row] + (high[row] - low[row]) / 2; }
};

/// Records of a relation by some of its columns.
struct Cells {
  std::int32_t rows = 0;
  std::vector<CellColumn> columns;
};

/// A relation before and after masking. Both have the same columns, and their categories share
/// their codes.
struct CellsPair {
  Cells original;
  Cells masked;
  /// One per original record: the masked one that was made of it, -1 if there is none; empty if
  /// nobody knows.
  std::vector<std::int32_t> image;
};

}  // namespace anonkit
