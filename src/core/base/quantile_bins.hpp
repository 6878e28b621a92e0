#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/at.hpp"

namespace anonkit {

/// Bins of a numeric column in joint frequencies. A column of at most so many distinct numbers is
/// not binned.
inline constexpr std::size_t kMarginalBins = 20;

/// The ends of the bins of a column: its quantiles i/20, rounded to the next greater value, and its
/// greatest number. Empty if it has few values. `sorted`: ascending, at least one number. O(n).
inline std::vector<double> ends_of_bins(const std::vector<double>& sorted) {
  std::vector<double> distinct(sorted);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  if (distinct.size() <= kMarginalBins) return {};
  std::vector<double> ends;
  for (std::size_t i = 0; i <= kMarginalBins; ++i)
    ends.push_back(sorted[(i * (sorted.size() - 1) + kMarginalBins - 1) / kMarginalBins]);
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

/// The number's bin out of ends.size() + 1: (end, next end], of which the first has its lower end,
/// too. Numbers beyond the ends have bins of their own, the first and the last.
inline std::int32_t quantile_bin(double number, const std::vector<double>& ends) {
  const auto bin = std::lower_bound(ends.begin() + 1, ends.end(), number) - ends.begin();
  return number < ends.front() ? 0 : static_cast<std::int32_t>(bin);
}

}  // namespace anonkit
