#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "base/ticker.hpp"
#include "risk/cells.hpp"

namespace anonkit {

/// The information loss of masking, by the measures of releases, for any pair of relations.
/// Suppressed records are the original ones without an image. Without images, they are the records
/// that the masked relation has fewer.
struct MaskingLoss {
  double squared = 0;  ///< 100 SSE / SST of standardised numbers; NaN without images
  /// Mean over numbers of width over the column's range, 1 if suppressed. NaN if a column publishes
  /// means.
  double ncp = 0;
  std::vector<double> ncp_of;  ///< by column; 0 for categories
  /// Sum of the squared sizes of the masked classes, and of all records for each suppressed one.
  double discernibility = 0;
  double mean_class = 0;
};
/// Measures the loss of a pair of relations. Records are in the same class if they have equal cells
/// in the first `class_columns` columns. O(n log n d).
MaskingLoss masking_loss(const CellsPair& pair, int threads, Ticker& ticker,
                         std::size_t class_columns = std::numeric_limits<std::size_t>::max());

}  // namespace anonkit
