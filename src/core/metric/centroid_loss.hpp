#pragma once

#include <vector>

#include "partition/partition.hpp"
#include "recode/masked.hpp"
#include "table/standardize.hpp"

namespace anonkit {

/// Squared errors in the standardised space.
struct CentroidLoss {
  double sse = 0;  ///< records to the centroids of their classes
  double sst = 0;  ///< records to the centroid of all records

  /// 100 * SSE / SST, the usual measure of microaggregation; 0 if all records are equal, null
  /// without an SSE.
  double percent() const { return sst == 0 ? 0 : 100 * sse / sst; }
};

/// The squared difference of two categories, without the attribute's weight.
inline double category_error(const Attribute& attribute, double a, double b) {
  if (attribute.kind == Kind::nominal) return a == b ? 0 : 1;
  const double ranks = (a - b) / attribute.categories;
  return ranks * ranks;
}

/// The loss of replacing every record by the cells of its class: the centroid, rounded to the
/// columns' types if `centroids` is. A suppressed cell counts as the column's mean, a suppressed
/// record as the centroid of all records. Sums run class by class, so they depend neither on the
/// order of the rows nor on the number of threads. O(rows x columns).
CentroidLoss centroid_loss(const Table& table, const Members& members, const Masked& centroids,
                           const std::vector<Record>& order, const std::vector<Scale>& scales,
                           Ticker& ticker, int threads = 1);

/// The squared error of each class: its records to its centroid, which may be rounded. O(rows x
/// columns).
std::vector<double> class_errors(const Table& table, const Members& members,
                                 const Masked& centroids, const std::vector<Scale>& scales,
                                 Ticker& ticker);

/// The loss of each column on its own, as centroid_loss has it. O(rows x columns).
std::vector<CentroidLoss> column_losses(const Table& table, const Members& members,
                                        const Masked& centroids, const std::vector<Record>& order,
                                        const std::vector<Scale>& scales, Ticker& ticker);

/// The squared error of each row, by its published row of cells, or kNone. It is 0 for a row that
/// is left out and for cells that are null. O(rows x columns).
std::vector<double> record_errors(const Table& table, const std::vector<std::int32_t>& cells_of,
                                  const Masked& centroids, const std::vector<Scale>& scales,
                                  Ticker& ticker);

}  // namespace anonkit
