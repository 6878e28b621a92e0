#pragma once

#include "base/ticker.hpp"
#include "method/tcloseness/closeness.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Algorithm 1's merging (Soria-Comas, Domingo-Ferrer, Sanchez and Martinez 2015, section 5; see
/// merging.hpp). While a class is not t-close, the one with the greatest EMD merges with its
/// nearest. The result is always t-close, since a single class has EMD 0. Returns classes numbered
/// by their first record.
Partition merge_until_close(const Space& space, const Partition& partition,
                            const Closeness& closeness, Ticker& ticker);

}  // namespace anonkit
