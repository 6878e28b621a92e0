#pragma once

#include <optional>

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "promise/promised.hpp"
#include "space/points.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Completes classes that the constraints reject, where one record is enough: such a class takes a
/// near record that its own class can spare, or swaps one for it, whichever costs least squared
/// error. The other classes stay allowed, and no class falls below k records. Cheaper than uniting
/// classes (uniting.hpp), which remains for those that need more. Of the records that
/// points_in_classes finds alike, one at a time is considered.
///
/// Returns the partition as it is if most classes are rejected, or if a record has no class
/// (kNone). One nearest search and a few hundred evaluated changes per class, O(n log n) for all.
/// Returns classes numbered by their first record.
Partition complete_classes(const Space& space, Partition partition, Record k,
                           const std::optional<Marks>& alike, const Constraints& constraints,
                           Ticker& ticker);

}  // namespace anonkit
