#pragma once

#include "data/space.hpp"
#include "partition/partition.hpp"
#include "partition/tcloseness/closeness.hpp"
#include "ticker.hpp"

namespace anonkit {

/// The second step of Algorithm 1 (Soria-Comas, Domingo-Ferrer, Sanchez and Martinez 2015, section
/// 5), for classes from any source: while a class is not t-close, the one among those whose EMD is
/// greatest is merged with the class whose centroid is nearest to its own. Ties, of either kind, go
/// to the class with the lower first record. The result is always t-close: in the end there is one
/// class, whose EMD is 0.
///
/// A queue of the classes by their level and an index of their centroids: O(log n) or so and
/// O(class size) for each merger. Returns classes numbered by their first record.
Partition merge_until_close(const Space& space, const Partition& partition,
                            const Closeness& closeness, Ticker& ticker);

}  // namespace anonkit
