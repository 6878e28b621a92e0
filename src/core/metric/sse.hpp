#pragma once

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

/// The within-class sum of squares: the squared distances of all records to the centroid (mean,
/// median or mode by attribute) of their class. In the space's units. O(n d + classes *
/// categories). The ticker may be null where nobody would interrupt.
double sse(const Space& space, const Partition& partition, Ticker* ticker = nullptr);

/// The total sum of squares: the squared distances of all records to the centroid of all. O(n d).
double sst(const Space& space);

}  // namespace anonkit
