#pragma once

#include "base/ticker.hpp"
#include "method/tcloseness/closeness.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Algorithm 2 of Soria-Comas, Domingo-Ferrer, Sanchez and Martinez 2015, section 6,
/// k-anonymity-first: each cluster is the k records nearest to its seed; while it is not t-close,
/// the next nearest record replaces the member for which that leaves the lowest EMD, if that is
/// lower than before. Seeds are found as in MDAV; fewer than 2k records are the last cluster. Ties
/// of distances go to the lower record. Ties of the EMD, which is exact here and often the same for
/// two members, go to the one that stands first: members stand in the order of nearness, a new one
/// in the place of the one that it replaces. The classes have k records or more but need not be
/// t-close: the paper merges them as Algorithm 1 does.
///
/// Records that cannot lower the EMD are passed over by a filter on the spatial index: O(k) each,
/// with one search for each replacement, so O(n^2/k) searches' steps where t cannot be reached with
/// k records, and near-linear where it can. Numbered by first record.
Partition k_first(const Space& space, Record k, const Closeness& closeness, Ticker& ticker);

}  // namespace anonkit
