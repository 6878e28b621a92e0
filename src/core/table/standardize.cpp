#include "table/standardize.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace anonkit {
namespace {

struct Extent {
  std::int64_t count = 0;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
  double mean = 0;
};

/// The power of two next below a number. Division by it is exact and keeps squares from
/// overflowing.
double power_below(double x) {
  return x > 0 ? std::ldexp(1.0, std::ilogb(x)) : 1;
}

Extent extent_of(const Table& table, const std::vector<Record>& order, std::size_t j,
                 Ticker& ticker) {
  Extent extent;
  for (const Record i : order) {
    ticker.step(16);
    const double x = table.value(i, j);
    if (is_null(x)) continue;
    ++extent.count;
    extent.smallest = std::min(extent.smallest, x);
    extent.largest = std::max(extent.largest, x);
  }
  if (extent.count == 0) return extent;
  const double unit = power_below(std::max(std::fabs(extent.smallest), std::fabs(extent.largest)));
  double sum = 0;
  for (const Record i : order) {
    ticker.step(16);
    if (const double x = table.value(i, j); !is_null(x)) sum += x / unit;
  }
  extent.mean = sum / static_cast<double>(extent.count) * unit;
  return extent;
}

double sample_deviation(const Table& table, const std::vector<Record>& order, std::size_t j,
                        const Extent& extent, Ticker& ticker) {
  const double unit = power_below(extent.largest - extent.smallest);
  double sum = 0;
  for (const Record i : order) {
    ticker.step(16);
    const double x = table.value(i, j);
    if (is_null(x)) continue;
    const double away = (x - extent.mean) / unit;
    sum += away * away;
  }
  return std::sqrt(sum / static_cast<double>(extent.count - 1)) * unit;
}

Scale scale_of(const Table& table, const std::vector<Record>& order, std::size_t j,
               Standardize standardize, Ticker& ticker) {
  if (table.columns[j].attribute.kind != Kind::numeric) return {};
  const Extent extent = extent_of(table, order, j, ticker);
  // Decided by the extremes: rounding can leave the deviation of a constant column above zero.
  if (!(extent.smallest < extent.largest)) return {extent.smallest, 0};
  if (!std::isfinite(extent.largest - extent.smallest))
    throw Error(ErrorKind::invalid_data,
                "values of quasi-identifier \"" + table.columns[j].name + "\" are too far apart",
                "The difference of the largest and the smallest overflows.",
                "Divide the column by a power of ten in a view.");
  switch (standardize) {
    case Standardize::zscore:
      return {extent.mean, sample_deviation(table, order, j, extent, ticker)};
    case Standardize::range:
      return {extent.smallest, extent.largest - extent.smallest};
    case Standardize::none:
      return {};
  }
  return {};
}

}  // namespace

std::vector<Scale> scales_of(const Table& table, const std::vector<Record>& order,
                             Standardize standardize, Ticker& ticker) {
  std::vector<Scale> scales;
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    scales.push_back(scale_of(table, order, j, standardize, ticker));
  return scales;
}

}  // namespace anonkit
