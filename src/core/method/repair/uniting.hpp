#pragma once

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "promise/promised.hpp"
#include "space/points.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Repairs classes until the constraints allow each, in three phases. A record without a class
/// (kNone) joins the class with the nearest centroid that is allowed with it; records without such
/// a class form one. Then every class that is not allowed, in the order of first records, is united
/// with another. That is the nearest class that makes it allowed, if one of a few near ones does.
/// The remaining ones merge with their nearest (merging.hpp). So the result is allowed, or one
/// class.
///
/// Unlike merging alone, uniting does not take variance from classes at the limit. About O(log n)
/// and a few classes per class that is not allowed. Returns classes numbered by their first record.
Partition unite_until_allowed(const Space& space, Partition partition,
                              const Constraints& constraints, Ticker& ticker);

/// True if so many records share a point that classes of entire points are the best start of a
/// search. They take a fraction of the time.
bool many_share(const Points& points);

}  // namespace anonkit
