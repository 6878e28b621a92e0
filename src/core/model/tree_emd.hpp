#pragma once

#include <cstdint>
#include <vector>

#include "base/ratio.hpp"
#include "model/class_histogram.hpp"
#include "model/hierarchical_t_closeness.hpp"

namespace anonkit {

/// The EMD between a population and parts of it, by the hierarchical distance (Li, Li and
/// Venkatasubramanian 2007, section 4.2). It is a sum over the tree's edges: length times the
/// difference of the two distributions' shares below the edge. The integer sum is exact, with one
/// division at the end.
class TreeEmd {
 public:
  /// The tree has the values 0 .. values-1 as leaves and must outlive the object. Throws
  /// invalid_parameter if it is not a tree.
  TreeEmd(const ValueTree& tree, std::int32_t values);

  /// Sets the population of reference, of `size` records. O(entries * depth).
  void set_population(ClassHistogram::Entries entries, std::int64_t size);

  /// The EMD of a part of `size` records to the population. O(entries * depth).
  double distance(ClassHistogram::Entries part, std::int64_t size);

 private:
  using Counts = std::vector<std::int64_t>;

  static std::size_t at(std::int32_t v) { return static_cast<std::size_t>(v); }
  std::int32_t parent(std::int32_t v) const { return tree_.parent[at(v)]; }
  /// The length of the edge to the parent, doubled.
  std::int32_t length(std::int32_t v) const {
    return parent(v) < 0 ? 0 : tree_.height[at(parent(v))] - tree_.height[at(v)];
  }
  void check(std::int32_t values) const;
  void count(ClassHistogram::Entries entries, Counts* counts, std::vector<std::int32_t>* seen);

  const ValueTree& tree_;
  Counts below_;                          ///< records of the population, by node
  std::vector<std::int32_t> population_;  ///< the nodes that have any
  std::int64_t size_ = 0;
  Counts members_;  ///< of the part, by node; zero between parts
  std::vector<std::int32_t> seen_;
  Wide all_edges_ = 0;
  std::int32_t top_ = 0;
};

}  // namespace anonkit
