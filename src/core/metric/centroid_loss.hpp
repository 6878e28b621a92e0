#pragma once

#include <vector>

#include "partition/partition.hpp"
#include "recode/masked.hpp"
#include "table/standardize.hpp"

namespace anonkit {

/// Squared errors in the standardised space.
struct CentroidLoss {
  double sse = 0;  ///< records to the centroid of their class
  double sst = 0;  ///< records to the centroid of all

  /// 100 * SSE / SST, the usual measure of microaggregation; 0 where all records are alike, null
  /// where there is no SSE.
  double percent() const { return sst == 0 ? 0 : 100 * sse / sst; }
};

/// The loss of replacing every record by the cells of its class: the centroid, rounded to the
/// columns' types where `centroids` is. A blanked cell counts as if the column's mean had been
/// published, a suppressed record as if the centroid of all had. The sums are taken class by class,
/// so they do not depend on the rows' order. O(rows x columns).
CentroidLoss centroid_loss(const Table& table, const Members& members, const Masked& centroids,
                           const std::vector<Record>& order, const std::vector<Scale>& scales,
                           Ticker& ticker);

/// The squared error of each class: its records to its centroid, which may be rounded.
std::vector<double> class_errors(const Table& table, const Members& members,
                                 const Masked& centroids, const std::vector<Scale>& scales,
                                 Ticker& ticker);

}  // namespace anonkit
