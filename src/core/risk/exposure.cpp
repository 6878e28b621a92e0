#include "risk/exposure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/at.hpp"

namespace anonkit {
namespace {

/// The least difference of unequal values, in a unit.
double precision_of(const std::vector<double>& sorted, double unit) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i] > sorted[i - 1]) least = std::min(least, sorted[i] / unit - sorted[i - 1] / unit);
  return least;
}

/// True if a record has a number, before and after.
bool shows(const CellsPair& pair, std::size_t j, std::int32_t record) {
  const std::int32_t row = pair.image[at(record)];
  return row >= 0 && !pair.original.columns[j].is_null(record) &&
         !pair.masked.columns[j].is_null(row);
}

/// By class: the centroid times the size, minus the sum of the original values, in a unit. Nulls
/// have no part in either.
std::vector<double> misses(const CellsPair& pair, std::size_t j, double unit,
                           const std::vector<std::int32_t>& class_of, std::int32_t classes) {
  std::vector<double> miss(at(classes), 0);
  for (std::int32_t i = 0; i < pair.original.rows; ++i)
    if (shows(pair, j, i))
      miss[at(class_of[at(pair.image[at(i)])])] +=
          pair.masked.columns[j].low[pair.image[at(i)]] / unit -
          pair.original.columns[j].middle(i) / unit;
  return miss;
}

Exposure exposure_of(const CellsPair& pair, std::size_t j,
                     const std::vector<std::int32_t>& class_of, std::int32_t classes,
                     const std::vector<std::int32_t>& sizes, double records, Ticker& ticker) {
  Exposure exposure;
  const CellColumn& original = pair.original.columns[j];
  const CellColumn& masked = pair.masked.columns[j];
  const std::vector<double> sorted = sorted_numbers(original, pair.original.rows, ticker);
  const double unit = unit_of(original, pair.original.rows);
  const std::vector<double> miss = misses(pair, j, unit, class_of, classes);
  const double precision = precision_of(sorted, unit);
  for (std::int32_t i = 0; i < pair.original.rows; ++i) {
    ticker.step(32);
    if (!shows(pair, j, i)) continue;
    const std::int32_t row = pair.image[at(i)];
    const double x = original.middle(i);
    const std::int32_t c = class_of[at(row)];
    if (masked.low[row] < masked.high[row]) {
      if (x != masked.low[row] && x != masked.high[row]) continue;
      ++exposure.range_ends;
      const auto equal = std::equal_range(sorted.begin(), sorted.end(), x);
      if (equal.second - equal.first == 1) ++exposure.lonely_ends;
    } else if (sizes[at(c)] > 1 && std::fabs(miss[at(c)]) < precision / 2) {
      ++exposure.solved;
    }
  }
  for (double* share : {&exposure.range_ends, &exposure.lonely_ends, &exposure.solved})
    *share /= records;
  return exposure;
}

/// The ends of all ranges of a column, ascending.
std::vector<double> sorted_ends(const CellColumn& column, std::int32_t rows, Ticker& ticker) {
  std::vector<double> ends;
  for (std::int32_t i = 0; i < rows; ++i)
    if (column.low[i] < column.high[i]) ends.insert(ends.end(), {column.low[i], column.high[i]});
  sort_numbers(ends, ticker);
  return ends;
}

Exposure exposure_of_ends(const CellsPair& pair, std::size_t j, Ticker& ticker) {
  const std::int32_t rows = pair.original.rows;
  ticker.step(64 * (static_cast<std::int64_t>(rows) + pair.masked.rows));
  const std::vector<double> sorted = sorted_numbers(pair.original.columns[j], rows, ticker);
  const std::vector<double> ends = sorted_ends(pair.masked.columns[j], pair.masked.rows, ticker);
  Exposure exposure;
  exposure.solved = std::numeric_limits<double>::quiet_NaN();
  for (auto first = sorted.begin(); first != sorted.end();) {
    const auto last = std::upper_bound(first, sorted.end(), *first);
    const auto equal = static_cast<double>(last - first);
    if (std::binary_search(ends.begin(), ends.end(), *first)) {
      exposure.range_ends += equal / rows;
      if (equal == 1) exposure.lonely_ends += 1.0 / rows;
    }
    first = last;
  }
  return exposure;
}

}  // namespace

std::vector<Exposure> exposures_of_ends(const CellsPair& pair, Ticker& ticker) {
  std::vector<Exposure> found;
  for (std::size_t j = 0; j < pair.original.columns.size(); ++j)
    found.push_back(pair.original.columns[j].numeric() ? exposure_of_ends(pair, j, ticker)
                                                       : Exposure{});
  return found;
}

std::vector<Exposure> exposures(const CellsPair& pair, const std::vector<std::int32_t>& class_of,
                                Ticker& ticker) {
  const std::int32_t classes = *std::max_element(class_of.begin(), class_of.end()) + 1;
  std::vector<std::int32_t> sizes(at(classes), 0);
  double records = 0;
  for (const std::int32_t row : pair.image) {
    if (row < 0) continue;
    ++sizes[at(class_of[at(row)])];
    ++records;
  }
  std::vector<Exposure> found;
  for (std::size_t j = 0; j < pair.original.columns.size(); ++j)
    found.push_back(pair.original.columns[j].numeric()
                        ? exposure_of(pair, j, class_of, classes, sizes, records, ticker)
                        : Exposure{});
  return found;
}

}  // namespace anonkit
