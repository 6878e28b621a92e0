#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "risk/cells.hpp"

namespace anonkit {

/// Bins of equal width, whose edges are multiples of the width.
struct Bins {
  double low = 0;
  double width = 1;
  std::int32_t count = 1;

  double edge(std::int32_t i) const { return low + i * width; }
};

/// At most `most` bins (2 at least) that cover the column. The width is 1, 2 or 5 times a power of
/// ten, so that no edge tells the least or the greatest number.
Bins round_bins(const CellColumn& column, std::int32_t rows, std::int32_t most, Ticker& ticker);

/// How many records fall into each bin. A range counts in each by the share of its width that lies
/// there; what lies beyond the bins counts in the first or in the last.
std::vector<double> binned(const CellColumn& column, std::int32_t rows, const Bins& bins,
                           Ticker& ticker);

/// Neighbouring bins that are shown as one.
struct Bar {
  std::int32_t first;
  std::int32_t last;
  double records;
};

/// Joins neighbours until each bar has no records or at least so many; no bars at all if there are
/// fewer altogether. Bars cover the bins, in order.
std::vector<Bar> folded(const std::vector<double>& counts, double least);

/// A category before and after masking, or all others together.
struct CategoryBar {
  static constexpr std::int32_t kOthers = -1;
  std::int32_t category;
  double original;
  double masked;
};

/// The most frequent categories, at most `most`, the most frequent masked one first. A category
/// that fewer than `least` records have, before or after, counts among the others; they too have
/// none or so many, where there are enough.
std::vector<CategoryBar> frequent_categories(const std::vector<double>& original,
                                             const std::vector<double>& masked, std::size_t most,
                                             double least);

}  // namespace anonkit
