#pragma once

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "space/space.hpp"

namespace anonkit {

/// SABRE, a Sensitive Attribute Bucketization and REdistribution framework for t-closeness (Cao,
/// Karras, Kalnis and Tan, VLDB Journal 20(1), 2011), from its public descriptions. Records go into
/// buckets by their sensitive value (see Buckets). The table's numbers of records per bucket are
/// halved repeatedly, while both halves have k records and a bound on their EMD is within t. Each
/// class then takes its number of records from each bucket, the nearest ones to its seed.
///
/// Two choices of this project. The seed is the record farthest from the centroid of the remaining
/// records, as in MDAV. Several widths of buckets are tried, and the one with most classes wins,
/// since the widest buckets within t leave no room for unequal shares. Classes with spare records
/// may need repair. Numbered by first record. About O(n log n) in few dimensions.
Partition sabre(const Space& space, const SensitiveAttribute& attribute, Record k, Ticker& ticker);

}  // namespace anonkit
