#pragma once

#include <cstdint>
#include <vector>

namespace anonkit {

/// One column of a relation from an attacker's or analyst's view: numbers (ranges are pairs of
/// numbers) or categories. The caller owns the memory.
struct CellColumn {
  const double* low = nullptr;  ///< numbers only; a number v is [v, v]
  const double* high = nullptr;
  const std::int32_t* codes = nullptr;  ///< categories only, from 0; null is a category
  std::int32_t categories = 0;

  bool numeric() const { return low != nullptr; }
  double middle(std::int32_t row) const { return low[row] / 2 + high[row] / 2; }
};

/// Records of a relation, restricted to some columns.
struct Cells {
  std::int32_t rows = 0;
  std::vector<CellColumn> columns;
};

/// A relation before and after masking. Both have the same columns, and their categories share
/// their codes.
struct CellsPair {
  Cells original;
  Cells masked;
  /// By original record: its masked record, or -1 without one; empty if the images are unknown.
  std::vector<std::int32_t> image;
};

}  // namespace anonkit
