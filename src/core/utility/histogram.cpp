#include "utility/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/at.hpp"

namespace anonkit {
namespace {

using Limits = std::numeric_limits<double>;

// Half of a difference of two finite numbers is finite, where the difference itself may overflow.
double half_extent(double low, double high) {
  return high / 2 - low / 2;
}

double place_of(const Bins& bins, double number) {
  return std::floor(half_extent(bins.low, number) / (bins.width / 2));
}

// The first edge is the multiple of the width at or below the least number.
Bins bins_of_width(double low, double high, double width) {
  Bins bins;
  bins.width = width;
  bins.low = std::max(std::floor(low / width) * width, Limits::lowest());
  bins.count = static_cast<std::int32_t>(place_of(bins, high)) + 1;
  return bins;
}

// Numbers beyond the bins count in the first or the last one.
std::int32_t bin_of(const Bins& bins, double number) {
  return static_cast<std::int32_t>(std::clamp(place_of(bins, number), 0.0, bins.count - 1.0));
}

// The record is spread evenly over its range. Shares are differences of cumulative ones, and the
// last bin takes the rest, so that they add up to 1 exactly.
void add_range(const Bins& bins, double low, double high, std::vector<double>& counts) {
  const std::int32_t last = bin_of(bins, high);
  double done = 0;
  for (std::int32_t i = bin_of(bins, low); i < last; ++i) {
    const double share =
        half_extent(low, std::min(bins.edge(i + 1), high)) / half_extent(low, high) - done;
    counts[at(i)] += share;
    done += share;
  }
  counts[at(last)] += 1 - done;
}

bool too_few(double records, double least) {
  return records > 0 && records < least;
}

}  // namespace

double round_width(double least) {
  double power = 1;
  while (power > least) power /= 10;
  while (power * 10 < least) power *= 10;
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

// The extent over `most` is a lower limit of the width. Wider bins follow, 1, 2, 5, 10 and so on,
// until those that start at a multiple of the width are few enough.
Bins round_bins(const CellColumn& column, std::int32_t rows, std::int32_t most, Ticker& ticker) {
  ticker.step(4 * static_cast<std::int64_t>(rows));
  const double low = *std::min_element(column.low, column.low + rows);
  const double high = *std::max_element(column.high, column.high + rows);
  if (low > high) return {};
  // Bins that start at multiples of the width need one bin more than the extent has widths.
  double width = 1;
  if (high > low) width = round_width(std::max(half_extent(low, high) / most * 2, Limits::min()));
  while (bins_of_width(low, high, width).count > most) width = round_width(1.5 * width);
  return bins_of_width(low, high, width);
}

// A number is a range without width: it counts in one bin.
std::vector<double> binned(const CellColumn& column, std::int32_t rows, const Bins& bins,
                           Ticker& ticker) {
  std::vector<double> counts(at(bins.count), 0);
  for (std::int32_t i = 0; i < rows; ++i) {
    ticker.step(16);
    if (column.is_null(i)) continue;
    if (column.low[i] < column.high[i])
      add_range(bins, column.low[i], column.high[i], counts);
    else
      ++counts[at(bin_of(bins, column.low[i]))];
  }
  return counts;
}

// From left to right, a bar with too few records takes the next bin; the last bar may have to join
// the one before. A bar below `least` would tell of a few records.
std::vector<Bar> folded(const std::vector<double>& counts, double least) {
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto bin = static_cast<std::int32_t>(i);
    if (!bars.empty() && too_few(bars.back().records, least)) {
      bars.back().last = bin;
      bars.back().records += counts[i];
    } else {
      bars.push_back({bin, bin, counts[i]});
    }
  }
  while (bars.size() > 1 && too_few(bars.back().records, least)) {
    const Bar last = bars.back();
    bars.pop_back();
    bars.back().last = last.last;
    bars.back().records += last.records;
  }
  if (!bars.empty() && too_few(bars.back().records, least)) bars.clear();
  return bars;
}

// Categories join the others from the rarest on, until these are many enough themselves.
std::vector<CategoryBar> frequent_categories(const std::vector<double>& original,
                                             const std::vector<double>& masked, std::size_t most,
                                             double least) {
  std::vector<CategoryBar> bars;
  CategoryBar others = {CategoryBar::kOthers, 0, 0};
  const auto join = [&](const CategoryBar& bar) {
    others.original += bar.original;
    others.masked += bar.masked;
  };
  for (std::size_t i = 0; i < original.size(); ++i) {
    const CategoryBar bar = {static_cast<std::int32_t>(i), original[i], masked[i]};
    if (too_few(bar.original, least) || too_few(bar.masked, least))
      join(bar);
    else
      bars.push_back(bar);
  }
  std::stable_sort(bars.begin(), bars.end(), [](const CategoryBar& a, const CategoryBar& b) {
    return a.masked != b.masked ? a.masked > b.masked : a.original > b.original;
  });
  while (!bars.empty() &&
         (bars.size() > most || too_few(others.original, least) || too_few(others.masked, least))) {
    join(bars.back());
    bars.pop_back();
  }
  if (others.original > 0 || others.masked > 0) bars.push_back(others);
  return bars;
}

}  // namespace anonkit
