#pragma once

#include <vector>

#include "base/ticker.hpp"
#include "risk/cells.hpp"

namespace anonkit {

/// The information loss of masking, by the measures of releases, for any pair of relations.
struct MaskingLoss {
  double squared = 0;          ///< 100 SSE / SST of standardised numbers; NaN without images
  double ncp = 0;              ///< mean over masked numbers of width over the column's range
  std::vector<double> ncp_of;  ///< by column; 0 for categories
  double discernibility = 0;   ///< sum of the squared sizes of the masked classes
  double mean_class = 0;
};
/// Measures the loss of a pair of relations. O(n d), and the search for equal masked records.
MaskingLoss masking_loss(const CellsPair& pair, Ticker& ticker);

}  // namespace anonkit
