#pragma once

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

/// The within-class sum of squares, in the space's units. It sums the squared distances of all
/// records to the centroid (mean, median or mode by attribute) of their class. O(n d + classes *
/// categories). The ticker may be null if the work needs no interruption.
double sse(const Space& space, const Partition& partition, Ticker* ticker = nullptr);

/// The total sum of squares: the squared distances of all records to the centroid of all records.
/// O(n d).
double sst(const Space& space);

}  // namespace anonkit
