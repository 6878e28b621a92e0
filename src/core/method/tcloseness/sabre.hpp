#pragma once

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "space/space.hpp"

namespace anonkit {

/// SABRE, a Sensitive Attribute Bucketization and REdistribution framework for t-closeness (Cao,
/// Karras, Kalnis and Tan, VLDB Journal 20(1), 2011), as far as it is described in public. Records
/// go into buckets by their sensitive value (see Buckets). The numbers of records that a class
/// takes from each bucket come from halving the whole table's again and again, as long as both
/// halves have k records and a bound on their EMD stays within t. Each class then takes that many
/// records of each bucket, those nearest to its seed.
///
/// Two choices of this project: the seed is the record farthest from the centroid of what is left,
/// as in MDAV; and of several widths of buckets the one that gives most classes is taken, as the
/// widest that t allows leave no room for unequal shares. The classes may need repair where spare
/// records gather. Numbered by first record. O(n log n) or so in few dimensions.
Partition sabre(const Space& space, const SensitiveAttribute& attribute, Record k, Ticker& ticker);

}  // namespace anonkit
