#pragma once

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

/// The cluster size of Algorithm 3: the least size for which Proposition 2 promises t-closeness
/// (formula 3), or k. Formula 4 adjusts it so that fewer records than clusters are left over. The
/// floor is that of the text; the ceiling of the pseudo-code is an error. Never above n.
Record t_first_cluster_size(Record n, Record k, double t);

/// Algorithm 3 of Soria-Comas, Domingo-Ferrer, Sanchez and Martinez 2015, section 7,
/// t-closeness-first. The records in the order of the sensitive attribute are split into as many
/// subsets as a cluster has records. Each cluster takes the record nearest to its seed from every
/// subset, and one more from the middle subset while that has spare records. Seeds are found as in
/// MDAV. With an even number of subsets, the two in the middle share the spare records, and the
/// upper one gets the odd one. The lower one can be the first subset, which the pseudo-code assumes
/// to have no spare records.
///
/// `rank`: by record, its value's position in the order; equal values follow the order of the
/// records. Ties of distances go to the lower record. Without ties, and with n a multiple of the
/// cluster size, the classes are t-close (Proposition 2); otherwise they are nearly so and need
/// repair. One spatial index per subset: about O(n log n) in few dimensions. Numbered by first
/// record.
Partition t_first(const Space& space, const std::vector<std::int32_t>& rank, Record cluster_size,
                  Ticker& ticker);

}  // namespace anonkit
