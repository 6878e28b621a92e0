#pragma once

#include <vector>

#include "base/ticker.hpp"
#include "method/blocks/block_tree.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

/// The classes next to each cut, by its position, ascending. A class is next to the nearest of the
/// cuts that are within its reach, so no class is in two lists. `parts` lists the ranges of blocks
/// that were partitioned together: cuts inside of a part divided no class. `threads` look at the
/// classes. O(n d).
std::vector<std::vector<ClassId>> classes_at_cuts(const Space& space, const Members& members,
                                                  const BlockTree& tree,
                                                  const std::vector<BlockRange>& parts, int threads,
                                                  Ticker& ticker);

}  // namespace anonkit
