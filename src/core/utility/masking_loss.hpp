#pragma once

#include "base/ticker.hpp"
#include "risk/cells.hpp"

namespace anonkit {

/// What masking lost, by the measures of releases, of any pair of relations.
struct MaskingLoss {
  double squared = 0;  ///< 100 SSE / SST of standardised numbers; NaN where nobody knows the images
  double ncp = 0;      ///< mean of width over the column's range, of all masked numbers
  double discernibility = 0;  ///< sum of the squared sizes of the masked classes
  double mean_class = 0;
};
MaskingLoss masking_loss(const CellsPair& pair, Ticker& ticker);

}  // namespace anonkit
