#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/power_below.hpp"
#include "base/sort_numbers.hpp"
#include "base/ticker.hpp"

namespace anonkit {

/// Below 0, 0 or above 0.
template <class T>
int order_of(T a, T b) {
  return (b < a) - (a < b);
}

/// A null among numbers is the range that contains none: it equals another null, and follows all
/// numbers.
inline constexpr double kNullLow = std::numeric_limits<double>::infinity();
inline constexpr double kNullHigh = -kNullLow;

/// One column of a relation from an attacker's or analyst's view: numbers (ranges are pairs of
/// numbers) or categories. The caller owns the memory.
struct CellColumn {
  const double* low = nullptr;  ///< numbers only; a number v is [v, v], null [kNullLow, kNullHigh]
  const double* high = nullptr;
  const std::int32_t* codes = nullptr;  ///< categories only, from 0; null is a category
  std::int32_t categories = 0;
  const double* weights = nullptr;  ///< of the rows, above 0; null: each weighs 1
  const char* name = "";            ///< for messages

  /// The order of two rows: below 0, 0 or above 0; ranges by both ends, categories by code.
  int compare(std::int32_t a, std::int32_t b) const {
    if (!numeric()) return order_of(codes[a], codes[b]);
    const int order = order_of(low[a], low[b]);
    return order != 0 ? order : order_of(high[a], high[b]);
  }
  double weight(std::int32_t row) const { return weights != nullptr ? weights[row] : 1; }
  bool numeric() const { return low != nullptr; }
  /// Numbers only.
  bool is_null(std::int32_t row) const { return low[row] > high[row]; }
  /// Half of the least number is 0, so a number is not halved. NaN for null.
  double middle(std::int32_t row) const {
    return low[row] == high[row] ? low[row] : low[row] / 2 + high[row] / 2;
  }
};

/// The unit of the first rows of a column of numbers: a power of two next below their largest
/// magnitude. Statistics are computed in units, where they neither overflow nor vanish.
inline double unit_of(const CellColumn& column, std::int32_t rows) {
  double largest = 0;
  for (std::int32_t i = 0; i < rows; ++i)
    if (!column.is_null(i))
      largest = std::max({largest, std::fabs(column.low[i]), std::fabs(column.high[i])});
  return power_below(largest);
}

/// The weight of the first rows.
inline double total_weight(const CellColumn& column, std::int32_t rows) {
  if (column.weights == nullptr) return rows;
  double total = 0;
  for (std::int32_t i = 0; i < rows; ++i) total += column.weights[i];
  return total;
}

/// The weight of the nulls among the first rows of a column of numbers; exactly 0 without one.
inline double null_weight(const CellColumn& column, std::int32_t rows) {
  double weight = 0;
  for (std::int32_t i = 0; i < rows; ++i) weight += column.is_null(i) ? column.weight(i) : 0;
  return weight;
}

/// The numbers of the first rows, ascending, without nulls; ranges count as their middle.
inline std::vector<double> sorted_numbers(const CellColumn& column, std::int32_t rows,
                                          Ticker& ticker) {
  std::vector<double> numbers;
  numbers.reserve(static_cast<std::size_t>(rows));
  for (std::int32_t i = 0; i < rows; ++i)
    if (!column.is_null(i)) numbers.push_back(column.middle(i));
  sort_numbers(numbers, ticker);
  return numbers;
}

/// The width of a part over the width of its range, also where widths overflow.
inline double share_of_range(double low, double high, double range_low, double range_high) {
  const double width = range_high - range_low;
  if (std::isfinite(width)) return (high - low) / width;
  return (high / 2 - low / 2) / (range_high / 2 - range_low / 2);
}

/// Records of a relation, restricted to some columns.
struct Cells {
  std::int32_t rows = 0;
  std::vector<CellColumn> columns;

  /// Gives each row its weight, in all columns.
  void weigh(const double* weights) {
    for (CellColumn& column : columns) column.weights = weights;
  }
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
