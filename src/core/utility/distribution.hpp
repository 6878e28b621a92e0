#pragma once

#include <array>
#include <vector>

#include "base/ticker.hpp"
#include "risk/cells.hpp"

namespace anonkit {

/// The quantiles compared.
inline constexpr std::array<double, 5> kQuantiles = {0.05, 0.25, 0.5, 0.75, 0.95};

/// A column of numbers; ranges count as their middle, records by their weights, and nulls not at
/// all. NaN without numbers.
struct Distribution {
  double unit = 1;  ///< of the column, see unit_of
  double mean = 0;
  double variance_in_units = 0;  ///< of the sample: over n - 1
  std::array<double, kQuantiles.size()> quantiles =
      {};  ///< as percentile_cont; see .cpp for weights

  /// Infinite if it is beyond the range of a double.
  double variance() const { return std::scalbn(variance_in_units, 2 * std::ilogb(unit)); }
};

/// The numbers of a column, ascending, without nulls; ranges count as their middle.
struct SortedColumn {
  std::vector<double> values;
  std::vector<double> weights;  ///< of the values; empty: each weighs 1
  double total = 0;             ///< of the weights
  double unit = 1;              ///< of the column, see unit_of

  double weight(std::size_t i) const { return weights.empty() ? 1 : weights[i]; }
};
/// Sorts a column of numbers. O(n log n).
SortedColumn sorted_column(const CellColumn& column, std::int32_t rows, Ticker& ticker);

/// Mean, variance and quantiles. O(n).
Distribution distribution_of(const SortedColumn& sorted);

/// The Kolmogorov-Smirnov distance: the largest difference of the distribution functions. NaN if a
/// column has no numbers. O(n).
double kolmogorov_smirnov(const SortedColumn& x, const SortedColumn& y);

/// The Hellinger distance, 0 .. 1: of categories by their frequencies, and of numbers by those of
/// twenty intervals of equal width, and that of nulls. The intervals span the least to the greatest
/// number of both columns.
double hellinger(const CellColumn& a, std::int32_t a_rows, const CellColumn& b, std::int32_t b_rows,
                 Ticker& ticker);

}  // namespace anonkit
