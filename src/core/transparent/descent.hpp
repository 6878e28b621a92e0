#pragma once

#include <vector>

#include "base/options.hpp"
#include "base/ticker.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Records in which classes may be formed by quasi-identifiers alone.
struct AdaptedSet {
  std::vector<Record> records;  ///< ascending
  Record k;                     ///< the least size of its classes; if they are fewer than 2k, one
};

/// Sets of records whose classes are likely to keep promises on values, though nobody looks who has
/// which. Beginning with all records, a set is cut in two where that leaves the least SSE: along an
/// attribute, along the main axis, or by the distance from the record farthest from the centroid.
/// Each part has g records at least, the size at which a random part of the set breaks a promise
/// with a quarter of `share` as probability. Small sets are left to a method, with that g for k.
///
/// Transparent: a set is cut by its quasi-identifiers and its values as a multiset. If values
/// change hands within final classes, every set on the way is a union of them, so it keeps its
/// multiset and is cut where it was. Records that are equal in all quasi-identifiers stay together.
///
/// O(n d log^2 n) for n records of d attributes, and what PartSize needs for each set.
std::vector<AdaptedSet> adapted_sets(const Space& space,
                                     const std::vector<SensitiveAttribute>& attributes,
                                     const Promises& promises, Record k, double share,
                                     Ticker& ticker);

}  // namespace anonkit
