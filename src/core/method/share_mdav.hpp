#pragma once

#include <optional>
#include <vector>

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "promise/promise.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "space/space.hpp"

namespace anonkit {

/// MDAV whose classes pass over records of values that they have enough of. Classes have `size`
/// records: the seed and the nearest records that leave every value within its share. Room for
/// missing distinct values is reserved. Records that complete no class are in none (kNone). A start
/// for a search: where classes of neighbours break the bounds, to unite them costs more than to
/// choose their members.
///
/// Empty if a value is so frequent that nearly all records are passed over: about O(n log n) all
/// the same.
std::optional<Partition> share_mdav(const Space& space,
                                    const std::vector<SensitiveAttribute>& attributes, Record size,
                                    const ValueLimits& bounds, Ticker& ticker);

}  // namespace anonkit
