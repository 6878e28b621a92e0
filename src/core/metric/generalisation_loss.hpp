#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "recode/masked.hpp"
#include "table/hierarchy.hpp"

namespace anonkit {

/// Loss measures of a generalised relation, each a mean over all cells of the table. The cells of a
/// suppressed record count as fully generalised.
struct GeneralisationLoss {
  /// Prec: 1 minus the mean of level/height over the cells (Sweeney 2002, section 4.2).
  double prec = 1;
  /// Global certainty penalty GCP, 0 .. 1: the mean NCP of the cells (Xu et al. 2006; Ghinita et
  /// al. 2007).
  double ncp = 0;
  /// Non-uniform entropy loss, 0 .. 1: the lost share of the bits in the table's cells. A value
  /// with n records, published as a group with m records, loses log2(m/n) bits (Gionis and Tassa
  /// 2009). Suppression loses all bits.
  double entropy = 0;
  std::int64_t suppressed_cells = 0;  ///< at the top level, in published records
};

/// By attribute and value (leaf): the number of records in the table.
using LeafCounts = std::vector<std::vector<std::int64_t>>;

/// Measures classes of the given sizes with the cells `masked.levels` and `masked.low`. All other
/// records of the table are suppressed. O(classes x attributes + leaves).
GeneralisationLoss generalisation_loss(const std::vector<const Hierarchy*>& hierarchies,
                                       const LeafCounts& leaf_counts, const Masked& masked,
                                       const std::vector<std::int32_t>& sizes, Ticker& ticker);

/// The number of records of every group of a level. O(values).
std::vector<std::int64_t> group_counts(const Hierarchy& hierarchy,
                                       const std::vector<std::int64_t>& leaf_counts,
                                       std::int32_t level);

}  // namespace anonkit
