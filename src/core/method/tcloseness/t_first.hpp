#pragma once

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

/// The cluster size of Algorithm 3: the least for which Proposition 2 promises t-closeness
/// (formula 3), or k, adjusted so that the records that are left over are fewer than the clusters
/// (formula 4, with the floor of the text; the ceiling of the pseudo-code is a slip). Never above
/// n.
Record t_first_cluster_size(Record n, Record k, double t);

/// Algorithm 3 of Soria-Comas, Domingo-Ferrer, Sanchez and Martinez 2015, section 7,
/// t-closeness-first: the records in the order of the sensitive attribute are split into as many
/// subsets as a cluster has records; each cluster takes from every subset the record nearest to its
/// seed, and clusters take one record more from the middle subset while it has records to spare.
/// Seeds are found as in MDAV. With an even number of subsets the two in the middle share the spare
/// records, the upper one gets the odd one: the lower one can be the first subset, which the
/// pseudo-code takes for one without spare records.
///
/// `rank`: of every record, its value's place in the order; equal values stand in the order of the
/// records, ties of distances go to the lower record. Without ties and with n a multiple of the
/// cluster size the classes are t-close (Proposition 2); otherwise nearly so, and need repair. One
/// spatial index for each subset: O(n log n) or so in few dimensions. Numbered by first record.
Partition t_first(const Space& space, const std::vector<std::int32_t>& rank, Record cluster_size,
                  Ticker& ticker);

}  // namespace anonkit
