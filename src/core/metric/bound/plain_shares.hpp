#pragma once

#include <vector>

#include "base/ticker.hpp"
#include "metric/bound/implied_constraints.hpp"
#include "space/index/spatial_index.hpp"
#include "space/space.hpp"

namespace anonkit {

/// By record, its least share in the loss of its class: 1/2m of its squared distances from its m-1
/// nearest records, for the best size m of a class. No class loses less than the sum of its
/// records' shares. The index holds all records of the space.
std::vector<double> plain_shares(const Space& space, const ImpliedConstraints& constraints,
                                 const SpatialIndex& index, Ticker& ticker);

}  // namespace anonkit
