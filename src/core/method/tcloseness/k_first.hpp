#pragma once

#include "base/ticker.hpp"
#include "method/tcloseness/closeness.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Algorithm 2 of Soria-Comas, Domingo-Ferrer, Sanchez and Martinez 2015, section 6,
/// k-anonymity-first. Each cluster starts as the k records nearest to its seed. While it is not
/// t-close, the next nearest record replaces the member that leaves the lowest EMD, if that lowers
/// the EMD. Seeds are found as in MDAV; fewer than 2k records form the last cluster. Ties of
/// distances go to the lower record. The EMD is exact, so ties are frequent; they go to the first
/// member. Members stand in the order of nearness, and a new one takes the position of the one that
/// it replaces. The classes have at least k records but need not be t-close: the paper merges them
/// as Algorithm 1 does.
///
/// A filter on the spatial index skips records that cannot lower the EMD: O(k) each, with one
/// search per replacement. So near-linear if k records can reach t, else O(n^2/k) steps. Numbered
/// by first record.
Partition k_first(const Space& space, Record k, const Closeness& closeness, Ticker& ticker);

}  // namespace anonkit
