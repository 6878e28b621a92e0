#pragma once

#include <cstdint>

#include "base/ticker.hpp"
#include "method/tcloseness/closeness.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Makes nearly t-close classes t-close by swaps. A class that is not t-close exchanges a record
/// with one of its nearest classes, as long as that lowers its level (see Closeness). The other
/// class must stay t-close, or at least not move farther from t. Among sufficient swaps, the one
/// between the nearest records is made; otherwise the one that lowers the level most. Ties go to
/// the lower records. Sizes do not change. Returns the number of swaps. Classes without a helpful
/// swap stay as they are, for merge_until_close.
///
/// A swap costs O(c s^2) for c nearby classes of s records. Requires classes numbered by first
/// record.
std::int64_t repair_by_swaps(const Space& space, const Closeness& closeness, Partition* partition,
                             Ticker& ticker);

}  // namespace anonkit
