#include "utility/distribution.hpp"

#include <algorithm>
#include <cmath>

#include "base/at.hpp"

namespace anonkit {

// Sorted values serve quantiles, distances and sums alike.
std::vector<double> sorted_middles(const CellColumn& column, std::int32_t rows, Ticker& ticker) {
  std::vector<double> values;
  values.reserve(at(rows));
  for (std::int32_t i = 0; i < rows; ++i) values.push_back(column.middle(i));
  sort_numbers(values, ticker);
  return values;
}
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

/// Shares of the records by category.
std::vector<double> shares(const CellColumn& column, std::int32_t rows, std::int32_t categories) {
  std::vector<double> counts(at(categories), 0);
  for (std::int32_t i = 0; i < rows; ++i) counts[at(column.codes[i])] += 1.0 / rows;
  return counts;
}

/// Shares of the records by interval.
std::vector<double> shares(const CellColumn& column, std::int32_t rows, double low, double high) {
  std::vector<double> counts(at(kIntervals), 0);
  for (std::int32_t i = 0; i < rows; ++i) {
    const double place =
        high > low ? share_of_range(low, column.middle(i), low, high) * kIntervals : 0;
    counts[at(std::min(static_cast<std::int32_t>(place), kIntervals - 1))] += 1.0 / rows;
  }
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

// Sums in ascending order of the values depend on the values alone, not on the order of the rows.
Distribution distribution_of(const CellColumn& column, std::int32_t rows, Ticker& ticker) {
  const std::vector<double> sorted = sorted_middles(column, rows, ticker);
  Distribution distribution;
  distribution.unit = unit_of(column, rows);
  double mean = 0;
  for (const double x : sorted) mean += x / distribution.unit;
  mean /= rows;
  for (const double x : sorted) {
    const double off = x / distribution.unit - mean;
    distribution.variance_in_units += off * off;
  }
  distribution.variance_in_units /= std::max(rows - 1, 1);
  distribution.mean = mean * distribution.unit;
  for (std::size_t i = 0; i < kQuantiles.size(); ++i)
    distribution.quantiles[i] = quantile(sorted, kQuantiles[i]);
  return distribution;
}

// The supremum of |F(v) - G(v)| is attained at a value: both step functions are compared after each
// distinct value, by a merge of the sorted columns.
double kolmogorov_smirnov(const CellColumn& a, std::int32_t a_rows, const CellColumn& b,
                          std::int32_t b_rows, Ticker& ticker) {
  const std::vector<double> x = sorted_middles(a, a_rows, ticker);
  const std::vector<double> y = sorted_middles(b, b_rows, ticker);
  double largest = 0;
  for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
    const double value = std::min(x[i], y[j]);
    while (i < x.size() && x[i] == value) ++i;
    while (j < y.size() && y[j] == value) ++j;
    largest = std::max(
        largest, std::fabs(static_cast<double>(i) / a_rows - static_cast<double>(j) / b_rows));
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
  double low = a.middle(0);
  double high = low;
  const auto extend = [&](const CellColumn& column, std::int32_t rows) {
    for (std::int32_t i = 0; i < rows; ++i) {
      low = std::min(low, column.middle(i));
      high = std::max(high, column.middle(i));
    }
  };
  extend(a, a_rows);
  extend(b, b_rows);
  return hellinger_of(shares(a, a_rows, low, high), shares(b, b_rows, low, high));
}

}  // namespace anonkit
