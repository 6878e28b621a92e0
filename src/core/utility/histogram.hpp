#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "risk/cells.hpp"

namespace anonkit {

/// Bins of equal width with edges at multiples of the width. Differences are computed from halves:
/// halving is exact, and the difference of any two finite numbers is finite then.
struct Bins {
  double low = 0;
  double width = 1;
  std::int32_t count = 1;

  double edge(std::int32_t i) const { return 2 * (low / 2 + i * (width / 2)); }
};

/// The smallest number of the form 1, 2 or 5 times a power of ten that is at least `least`.
double round_width(double least);

/// At most `most` bins (at least 4) that cover the column; one without numbers. The width is 1, 2
/// or 5 times a power of ten, so that edges do not reveal the least or the greatest number.
Bins round_bins(const CellColumn& column, std::int32_t rows, std::int32_t most, Ticker& ticker);

/// The number of records in each bin; nulls are in none. A range adds to each bin the share of its
/// width there; numbers beyond the bins count in the first or the last bin.
std::vector<double> binned(const CellColumn& column, std::int32_t rows, const Bins& bins,
                           Ticker& ticker);

/// Adjacent bins shown as one.
struct Bar {
  std::int32_t first;
  std::int32_t last;
  double records;
};

/// Joins adjacent bins until each bar has no records or at least `least`; returns no bars if all
/// records are fewer. Bars cover the bins, in order.
std::vector<Bar> folded(const std::vector<double>& counts, double least);

/// A category before and after masking, or all others together.
struct CategoryBar {
  static constexpr std::int32_t kOthers = -1;
  std::int32_t category;
  double original;
  double masked;
};

/// The `most` most frequent categories at most, by descending masked frequency. A category with
/// fewer than `least` records, before or after, counts among the others. These have none or at
/// least `least` records, if there are enough.
std::vector<CategoryBar> frequent_categories(const std::vector<double>& original,
                                             const std::vector<double>& masked, std::size_t most,
                                             double least);

}  // namespace anonkit
