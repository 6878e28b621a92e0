#pragma once

#include <cstdint>
#include <vector>

#include "model/level.hpp"

namespace anonkit {

/// A tree over the values of a sensitive attribute: the nodes 0 .. m-1 are the histogram's values,
/// the others are inner nodes.
struct ValueTree {
  std::vector<std::int32_t> parent;  ///< one per node; -1 for the one root
  std::vector<std::int32_t> height;  ///< 0 for the values, and less than the parent's
};

/// The tree of a value generalisation hierarchy. `levels` gives, for each level above the values,
/// the group of every value. Each level unites groups of the level below, and the last is a single
/// group. The height of an inner node is the number of its level.
ValueTree value_tree(const std::vector<std::vector<std::int32_t>>& levels);

/// t-closeness by the hierarchical distance (Li, Li and Venkatasubramanian 2007, section 4.2). The
/// distance between two values is the height of their lowest common ancestor over that of the root.
/// The level is the largest EMD of a class.
///
/// This is a distance along the tree's edges, whose lengths are half of the difference in height;
/// see TreeEmd. O(nodes + entries * depth). Throws invalid_parameter if the tree is not a tree over
/// the values.
Level hierarchical_t_closeness(const ClassHistogram& histogram, const ValueTree& tree,
                               Ticker& ticker);

}  // namespace anonkit
