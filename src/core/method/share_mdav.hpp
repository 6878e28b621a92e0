#pragma once

#include <optional>
#include <vector>

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Bounds on the values of a class, for every sensitive attribute.
struct ValueBounds {
  double share = 1;           ///< of the class, of records with the same value, at most
  std::int32_t distinct = 1;  ///< values, at least
};

/// MDAV whose classes keep the bounds. A class has `size` records: the seed, then the nearest
/// records that keep the share of each value and leave room for missing distinct values. Records
/// that complete no class are in none (kNone). The result is a start for a search. Where classes of
/// neighbours break the bounds, choosing other members loses less than uniting classes.
///
/// Returns an empty result if one value is so frequent that no class can be completed. Cost: about
/// O(n log n).
std::optional<Partition> share_mdav(const Space& space,
                                    const std::vector<SensitiveAttribute>& attributes, Record size,
                                    const ValueBounds& bounds, Ticker& ticker);

}  // namespace anonkit
