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
  /// Non-uniform entropy loss, 0 .. 1: of the bits that the cells of the table hold, the share that
  /// is lost. A cell of a value that has n records and is published as a group that has m has lost
  /// log2(m/n) bits (Gionis and Tassa 2009); suppression loses all that there are.
  double entropy = 0;
  std::int64_t suppressed_cells = 0;  ///< at the top level, in records that are published
};

/// The records of every value (leaf) of every attribute, in the whole table.
using LeafCounts = std::vector<std::vector<std::int64_t>>;

/// Measures classes of the given sizes whose cells are `masked.levels` and `masked.low`; the rest
/// of the table's records are suppressed. O(classes x attributes + leaves).
GeneralisationLoss generalisation_loss(const std::vector<const Hierarchy*>& hierarchies,
                                       const LeafCounts& leaf_counts, const Masked& masked,
                                       const std::vector<std::int32_t>& sizes, Ticker& ticker);

/// The records of every group of a level.
std::vector<std::int64_t> group_counts(const Hierarchy& hierarchy,
                                       const std::vector<std::int64_t>& leaf_counts,
                                       std::int32_t level);

}  // namespace anonkit
