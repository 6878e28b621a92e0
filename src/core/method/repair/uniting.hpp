#pragma once

#include "base/ticker.hpp"
#include "constraint/promised.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Repairs classes until the constraints allow each: records without a class (kNone) join the
/// nearest class, by its centroid, that is allowed with them; those for which there is none form a
/// class. Then every class that is not allowed, in the order of the first records, is united with
/// the nearest class with which it is, if one of a few near ones will do; what is still not allowed
/// is merged with its nearest (merging.hpp). So the result is allowed, or one class.
///
/// Unlike merging alone it does not take variance from classes that have just enough. O(log n) or
/// so and some classes looked at for each class that is not allowed. Returns classes numbered by
/// their first record.
Partition unite_until_allowed(const Space& space, Partition partition,
                              const Constraints& constraints, Ticker& ticker);

}  // namespace anonkit
