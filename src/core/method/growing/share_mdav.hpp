#pragma once

#include <optional>
#include <vector>

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "promise/promise.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "space/space.hpp"

namespace anonkit {

/// MDAV whose classes keep limits. A class has `size` records: the seed, then the nearest records
/// that keep the share of each value and leave room for missing distinct values. Records that
/// complete no class are in none (kNone). The result is a start for a search. Where classes of
/// neighbours break the limits, choosing other members loses less than uniting classes.
///
/// Returns an empty result if one value is so frequent that no class can be completed. Cost: about
/// O(n log n).
std::optional<Partition> share_mdav(const Space& space,
                                    const std::vector<SensitiveAttribute>& attributes, Record size,
                                    const ValueLimits& bounds, Ticker& ticker);

}  // namespace anonkit
