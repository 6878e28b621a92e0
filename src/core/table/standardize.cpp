#include "table/standardize.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/power_below.hpp"
#include "base/threads.hpp"

namespace anonkit {

void require_finite_extent(const std::string& column, double smallest, double largest) {
  if (smallest < largest && !std::isfinite(largest - smallest))
    throw Error(ErrorKind::invalid_data,
                "values of quasi-identifier \"" + column + "\" are too far apart",
                "The difference of the largest and the smallest overflows.",
                "Divide the column by a power of ten in a view.");
}

namespace {

struct Extent {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
  double mean = 0;
};

/// The values of a column that are not null. In their own memory: each is needed several times, and
/// the order of the records is at random in the table.
std::vector<double> values_of(const Table& table, const std::vector<Record>& order, std::size_t j,
                              Ticker& ticker) {
  std::vector<double> values;
  values.reserve(order.size());
  for (const Record i : order) {
    ticker.step(16);
    if (const double x = table.value(i, j); !is_null(x)) values.push_back(x);
  }
  return values;
}

Extent extent_of(const std::vector<double>& values, Ticker& ticker) {
  Extent extent;
  for (const double x : values) {
    extent.smallest = std::min(extent.smallest, x);
    extent.largest = std::max(extent.largest, x);
  }
  if (values.empty()) return extent;
  const double unit = power_below(std::max(std::fabs(extent.smallest), std::fabs(extent.largest)));
  double sum = 0;
  for (const double x : values) {
    ticker.step(4);
    sum += x / unit;
  }
  extent.mean = sum / static_cast<double>(values.size()) * unit;
  return extent;
}

double sample_deviation(const std::vector<double>& values, const Extent& extent, Ticker& ticker) {
  const double unit = power_below(extent.largest - extent.smallest);
  double sum = 0;
  for (const double x : values) {
    ticker.step(4);
    const double away = (x - extent.mean) / unit;
    sum += away * away;
  }
  return std::sqrt(sum / static_cast<double>(values.size() - 1)) * unit;
}

Scale scale_of(const Table& table, const std::vector<Record>& order, std::size_t j,
               Standardize standardize, Ticker& ticker) {
  if (table.columns[j].attribute.kind != Kind::numeric) return {};
  const std::vector<double> values = values_of(table, order, j, ticker);
  const Extent extent = extent_of(values, ticker);
  // Decided by the extremes: rounding can leave the deviation of a constant column above zero.
  if (!(extent.smallest < extent.largest)) return {extent.smallest, 0};
  require_finite_extent(table.columns[j].name, extent.smallest, extent.largest);
  const Column& column = table.columns[j];
  switch (standardize) {
    case Standardize::zscore:
      return {extent.mean,
              column.deviation > 0 ? column.deviation : sample_deviation(values, extent, ticker)};
    case Standardize::range:
      return {extent.smallest, std::max(extent.largest - extent.smallest, column.extent)};
    case Standardize::none:
      return {};
  }
  return {};
}

}  // namespace

std::vector<Scale> scales_of(const Table& table, const std::vector<Record>& order,
                             Standardize standardize, Ticker& ticker, int threads) {
  std::vector<Scale> scales(table.columns.size());
  run_unreported_tasks(scales.size(), threads, ticker, [&](std::size_t j, Ticker& own) {
    scales[j] = scale_of(table, order, j, standardize, own);
  });
  return scales;
}

}  // namespace anonkit
