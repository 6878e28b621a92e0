#pragma once

#include <vector>

#include "data/standardize.hpp"
#include "recode/masked.hpp"

namespace anonkit {

/// Squared errors in the standardised space.
struct Loss {
  double sse = 0;  ///< records to the centroid of their class
  double sst = 0;  ///< records to the centroid of all

  /// 100 * SSE / SST, the usual measure of microaggregation; 0 where all records are alike.
  double percent() const { return sst > 0 ? 100 * sse / sst : 0; }
};

/// The loss of what is published, rounding included. A blanked cell counts as if the column's mean
/// had been published. Under range recoding the loss of the classes' centroids. O(rows x columns).
Loss published_loss(const Table& table, const Members& members, const Masked& masked,
                    const std::vector<Record>& order, const std::vector<Scale>& scales);

}  // namespace anonkit
