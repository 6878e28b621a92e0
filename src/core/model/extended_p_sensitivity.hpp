#pragma once

#include <cstdint>
#include <vector>

#include "model/level.hpp"

namespace anonkit {

/// A hierarchy over the values of a sensitive attribute, with the nodes that the data owner
/// protects. The nodes 0 .. m-1 are the histogram's values. All values are protected, and so is
/// every node below a protected one.
struct ProtectedTree {
  std::vector<std::int32_t> parent;  ///< one per node; -1 for a root
  std::vector<bool> is_protected;    ///< one per node
};

/// Extended p-sensitivity: the values of every class belong to at least p protected subtrees. The
/// root of such a subtree is protected, and no node above it is (A. Campan, T. M. Truta: Extended
/// p-sensitive k-anonymity. Studia Universitatis Babes-Bolyai Informatica 51(2), 2006; Definitions
/// 4 to 6 of the paper on EnhancedPKClustering). The level is the fewest subtrees of a class.
/// O(nodes * depth + entries). Throws invalid_parameter if the tree is not a forest over the
/// values.
Level extended_p_sensitivity(const ClassHistogram& histogram, const ProtectedTree& tree,
                             Ticker& ticker);

/// Extended p-sensitivity by the histogram's own hierarchy and protected groups.
Level extended_p_sensitivity(const ClassHistogram& histogram, Ticker& ticker);

}  // namespace anonkit
