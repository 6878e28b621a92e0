#include "utility/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/at.hpp"
#include "base/unknown.hpp"

namespace anonkit {

namespace {

// Few enough that each has records, and enough to see the shape of a distribution.
constexpr std::int32_t kIntervals = 20;

/// As percentile_cont: linear between the values next to the place p (n-1). Their distance may
/// overflow, its parts do not.
double quantile(const std::vector<double>& sorted, double p) {
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double rest = place - static_cast<double>(below);
  if (rest == 0) return sorted[below];
  const double distance = sorted[below + 1] - sorted[below];
  if (std::isfinite(distance)) return sorted[below] + rest * distance;
  return (1 - rest) * sorted[below] + rest * sorted[below + 1];
}

/// Linear between the middles of the numbers' weights, of which the first is the quantile of 0 and
/// the last that of 1. With equal weights it is percentile_cont.
double weighted_quantile(const SortedColumn& sorted, double p) {
  const std::size_t last = sorted.values.size() - 1;
  const double first_middle = sorted.weight(0) / 2;
  const double place = first_middle + p * (sorted.total - sorted.weight(last) / 2 - first_middle);
  double middle = first_middle;
  for (std::size_t i = 0; i < last; ++i) {
    const double next = middle + sorted.weight(i) / 2 + sorted.weight(i + 1) / 2;
    if (place < next) {
      const double rest = std::max(place - middle, 0.0) / (next - middle);
      return (1 - rest) * sorted.values[i] + rest * sorted.values[i + 1];
    }
    middle = next;
  }
  return sorted.values[last];
}

/// Shares of the records by category.
std::vector<double> shares(const CellColumn& column, std::int32_t rows, std::int32_t categories) {
  std::vector<double> counts(at(categories), 0);
  const double total = total_weight(column, rows);
  for (std::int32_t i = 0; i < rows; ++i) counts[at(column.codes[i])] += column.weight(i) / total;
  return counts;
}

/// Shares of the records by interval; the last is that of nulls.
std::vector<double> shares(const CellColumn& column, std::int32_t rows, double low, double high) {
  std::vector<double> counts(at(kIntervals + 1), 0);
  const double total = total_weight(column, rows);
  const auto interval = [&](std::int32_t i) {
    if (column.is_null(i)) return kIntervals;
    const double place =
        high > low ? share_of_range(low, column.middle(i), low, high) * kIntervals : 0;
    return std::min(static_cast<std::int32_t>(place), kIntervals - 1);
  };
  for (std::int32_t i = 0; i < rows; ++i) counts[at(interval(i))] += column.weight(i) / total;
  return counts;
}

// H^2 = 1/2 sum of (sqrt p - sqrt q)^2.
double hellinger_of(const std::vector<double>& p, const std::vector<double>& q) {
  double squares = 0;
  for (std::size_t v = 0; v < p.size(); ++v) {
    const double difference = std::sqrt(p[v]) - std::sqrt(q[v]);
    squares += difference * difference;
  }
  return std::sqrt(squares / 2);
}

}  // namespace

// Equal numbers are in the order of their weights, so that sums do not depend on that of the rows.
SortedColumn sorted_column(const CellColumn& column, std::int32_t rows, Ticker& ticker) {
  SortedColumn sorted;
  sorted.unit = unit_of(column, rows);
  if (column.weights == nullptr) {
    sorted.values = sorted_numbers(column, rows, ticker);
    sorted.total = static_cast<double>(sorted.values.size());
    return sorted;
  }
  std::vector<std::pair<double, double>> pairs;
  pairs.reserve(at(rows));
  for (std::int32_t i = 0; i < rows; ++i)
    if (!column.is_null(i)) pairs.emplace_back(column.middle(i), column.weight(i));
  std::sort(pairs.begin(), pairs.end(), [&](const auto& a, const auto& b) {
    ticker.step(2);
    return a < b;
  });
  for (const auto& [value, weight] : pairs) {
    sorted.values.push_back(value);
    sorted.weights.push_back(weight);
    sorted.total += weight;
  }
  return sorted;
}

// Sums in ascending order of the values depend on the values alone, not on the order of the rows.
// The variance is sum of w off^2 / W * n / (n-1), with W the weight of all n records.
Distribution distribution_of(const SortedColumn& sorted) {
  const std::size_t n = sorted.values.size();
  Distribution distribution;
  distribution.unit = sorted.unit;
  if (n == 0) {
    distribution.mean = distribution.variance_in_units = kUnknown;
    distribution.quantiles.fill(kUnknown);
    return distribution;
  }
  double mean = 0;
  for (std::size_t i = 0; i < n; ++i) mean += sorted.weight(i) * (sorted.values[i] / sorted.unit);
  mean /= sorted.total;
  // The sum of equal numbers is rounded: the mean would be another one, and they would vary.
  if (sorted.values.front() == sorted.values.back()) mean = sorted.values.front() / sorted.unit;
  double rest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double off = sorted.values[i] / sorted.unit - mean;
    distribution.variance_in_units += sorted.weight(i) * (off * off);
    rest += sorted.weight(i) * off;
  }
  // The mean of large numbers may be rounded by more than their deviations: these have a sum, then.
  distribution.variance_in_units -= rest * (rest / sorted.total);
  if (n > 1) distribution.variance_in_units /= sorted.total - sorted.total / static_cast<double>(n);
  distribution.mean = mean * sorted.unit;
  for (std::size_t i = 0; i < kQuantiles.size(); ++i)
    distribution.quantiles[i] = sorted.weights.empty() ? quantile(sorted.values, kQuantiles[i])
                                                       : weighted_quantile(sorted, kQuantiles[i]);
  return distribution;
}

// The supremum of |F(v) - G(v)| is attained at a value: both step functions are compared after each
// distinct value, by a merge of the sorted columns.
double kolmogorov_smirnov(const SortedColumn& x, const SortedColumn& y) {
  if (x.values.empty() || y.values.empty()) return kUnknown;
  double largest = 0;
  double below_x = 0;
  double below_y = 0;
  for (std::size_t i = 0, j = 0; i < x.values.size() && j < y.values.size();) {
    const double value = std::min(x.values[i], y.values[j]);
    while (i < x.values.size() && x.values[i] == value) below_x += x.weight(i++);
    while (j < y.values.size() && y.values[j] == value) below_y += y.weight(j++);
    largest = std::max(largest, std::fabs(below_x / x.total - below_y / y.total));
  }
  return largest;
}

// Both columns are cut at the same edges, which span both.
double hellinger(const CellColumn& a, std::int32_t a_rows, const CellColumn& b, std::int32_t b_rows,
                 Ticker& ticker) {
  ticker.step(4 * (static_cast<std::int64_t>(a_rows) + b_rows));
  if (!a.numeric()) {
    const std::int32_t categories = std::max(a.categories, b.categories);
    return hellinger_of(shares(a, a_rows, categories), shares(b, b_rows, categories));
  }
  double low = kNullLow;
  double high = kNullHigh;
  const auto extend = [&](const CellColumn& column, std::int32_t rows) {
    for (std::int32_t i = 0; i < rows; ++i) {
      if (column.is_null(i)) continue;
      low = std::min(low, column.middle(i));
      high = std::max(high, column.middle(i));
    }
  };
  extend(a, a_rows);
  extend(b, b_rows);
  return hellinger_of(shares(a, a_rows, low, high), shares(b, b_rows, low, high));
}

}  // namespace anonkit
