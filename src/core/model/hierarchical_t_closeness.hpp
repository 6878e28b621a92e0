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

/// The tree of a value generalisation hierarchy: of each level above the values the group of every
/// value, each level made of whole groups of the one below, the last a single group. An inner node
/// is as high as the number of its level.
ValueTree value_tree(const std::vector<std::vector<std::int32_t>>& levels);

/// t-closeness by the hierarchical distance (Li, Li and Venkatasubramanian 2007, section 4.2): two
/// values are as far apart as their lowest common ancestor is high, over the height of the root.
/// The level is the largest EMD of a class.
///
/// Such a distance is that along the tree's edges, each as long as half of what its ends differ in
/// height; see TreeEmd. O(nodes + entries * depth). Throws invalid_parameter if this is no tree
/// over the values.
Level hierarchical_t_closeness(const ClassHistogram& histogram, const ValueTree& tree,
                               Ticker& ticker);

}  // namespace anonkit
