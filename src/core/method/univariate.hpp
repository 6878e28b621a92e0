#pragma once

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Optimal microaggregation of a single numeric attribute (Hansen and Mukherjee 2003): the
/// partition of least SSE into classes of at least k records. Its classes are runs of k to 2k-1
/// sorted values, found as a shortest path over the runs. In a weighted space the best partition
/// that divides no point.
///
/// O(n log n + n k). Requires a space of one numeric attribute (else an internal error), k >= 1 and
/// n >= 1; n < 2k gives one class. The classes are numbered by their first record.
Partition univariate(const Space& space, Record k, Ticker& ticker);

}  // namespace anonkit
