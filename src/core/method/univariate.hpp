#pragma once

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Optimal microaggregation of a single numeric attribute (Hansen and Mukherjee 2003): the
/// partition into classes of at least k records whose SSE is least. Its classes are runs of the
/// sorted values of k to 2k-1 records; a shortest path over the runs finds them. Of a weighted
/// space the best partition that divides no point.
///
/// O(n log n + n k). Needs a space of one numeric attribute (else an internal error), k >= 1 and
/// n >= 1; n < 2k gives one class. The classes are numbered by their first record.
Partition univariate(const Space& space, Record k, Ticker& ticker);

}  // namespace anonkit
