#pragma once

#include <cstdint>

#include "base/ticker.hpp"
#include "method/tcloseness/closeness.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Makes classes that are nearly t-close t-close by swaps: a class that is not exchanges a record
/// with one of the classes nearest to it, as long as that lowers its level (see Closeness) and
/// leaves the other class t-close, or no farther from it than it was. Of the swaps that suffice the
/// one between the nearest records is made, else the one that lowers the level most; ties go to the
/// lower records. Sizes stay the same. Returns the number of swaps; classes for which no swap helps
/// stay as they are, for merge_until_close.
///
/// A swap costs O(c s^2) for c nearby classes of s records. Needs classes numbered by first record.
std::int64_t repair_by_swaps(const Space& space, const Closeness& closeness, Partition* partition,
                             Ticker& ticker);

}  // namespace anonkit
