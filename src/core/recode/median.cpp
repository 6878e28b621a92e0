#include <algorithm>

#include "base/at.hpp"
#include "recode/recoding.hpp"

namespace anonkit {
namespace {

/// The lower median: the ceil(n/2)-th smallest of n numbers. So it is a value of the class, and it
/// minimises the sum of absolute errors.
double median_of(const Table& table, const RecordSpan& rows, std::size_t j) {
  const Extremes e = extremes_of(table, rows, j);
  if (is_null(e.low) || e.low == e.high) return e.low;
  std::vector<double> values;
  values.reserve(at(rows.size()));
  for (const Record i : rows) values.push_back(table.value(i, j));
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Microaggregation by medians (J. Domingo-Ferrer, J. M. Mateo-Sanz: Practical data-oriented
/// microaggregation for statistical disclosure control. IEEE TKDE 14(1), 2002): the
/// lower median of numbers. Categories are masked as by centroids.
///
/// The loss is the squared error, as of centroids, so the two compare. In each class it is at most
/// twice that of the mean, for a median is within a standard deviation of the mean.
constexpr Recoding row_of_median() {
  Recoding row;
  row.name = "median";
  row.keeps_type = true;
  row.of_numbers = row.of_categories = row.of_hierarchies = "one value for each class: the median";
  row.remaining_risk =
      "The median of a class is the value of one of its records. A rare one may be known to be "
      "somebody's.";
  row.mask = [](const Table& table, const RecordSpan& rows, std::size_t j, Masked& masked,
                std::size_t cell) {
    if (table.columns[j].attribute.kind == Kind::numeric)
      masked.low[cell] = median_of(table, rows, j);
    else
      mask_by_centroid(table, rows, j, masked, cell);
  };
  return row;
}

}  // namespace

constexpr Recoding kMedianRecoding = row_of_median();

}  // namespace anonkit
