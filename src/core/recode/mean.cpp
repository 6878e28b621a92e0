#include <algorithm>

#include "base/at.hpp"
#include "recode/recoding.hpp"

namespace anonkit {
namespace {

double mean_of(const Table& table, const RecordSpan& rows, std::size_t j) {
  const Extremes e = extremes_of(table, rows, j);
  // Publishes equal values exactly, without a sum and a division.
  if (is_null(e.low) || e.low == e.high) return e.low;
  double sum = 0;
  for (const Record i : rows) sum += (table.value(i, j) - e.low) / rows.size();
  return std::min(e.low + sum, e.high);
}

std::int32_t mode_of(const std::vector<std::int32_t>& sorted) {
  std::int32_t mode = sorted.front();
  std::ptrdiff_t most = 0;
  for (auto run = sorted.begin(); run != sorted.end();) {
    const auto end = std::upper_bound(run, sorted.end(), *run);
    if (end - run > most) {
      most = end - run;
      mode = *run;
    }
    run = end;
  }
  return mode;
}

double centroid_of(const Table& table, const RecordSpan& rows, std::size_t j) {
  switch (table.columns[j].attribute.kind) {
    case Kind::numeric:
      return mean_of(table, rows, j);
    case Kind::ordinal:
      return codes_of(table, rows, j)[at((rows.size() - 1) / 2)];
    case Kind::nominal:
      return mode_of(codes_of(table, rows, j));
  }
  return kNull;
}

}  // namespace

void mask_by_centroid(const Table& table, const RecordSpan& rows, std::size_t j, Masked& masked,
                      std::size_t cell) {
  masked.low[cell] = centroid_of(table, rows, j);
}

namespace {

/// The centroid: the mean of numbers, the lower median of ordered categories, and the lowest mode
/// of others.
constexpr Recoding row_of_centroid() {
  Recoding row;
  row.name = "centroid";
  row.keeps_type = row.is_linear = true;
  row.of_numbers = row.of_categories = row.of_hierarchies =
      "one value for each class: the centroid";
  row.remaining_risk =
      "A mean is exact to the column's precision: an attacker who knows the values of all others "
      "of a class solves it for the last one.";
  row.mask = mask_by_centroid;
  return row;
}

}  // namespace

constexpr Recoding kCentroidRecoding = row_of_centroid();

double centroid_cell(const Table& table, const Members& members, std::size_t c, std::size_t j) {
  return centroid_of(table, members.of(c), j);
}

}  // namespace anonkit
