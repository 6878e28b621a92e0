#include "model/hierarchical_t_closeness.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "error.hpp"
#include "model/ratio.hpp"

namespace anonkit {
namespace {

class TreeEmd {
 public:
  TreeEmd(const ClassHistogram& histogram, const ValueTree& tree)
      : histogram_(histogram), tree_(tree), below_(tree.parent.size(), 0), members_(below_) {
    check();
    for (std::int32_t value = 0; value < histogram.values(); ++value)
      for (std::int32_t v = value; v >= 0; v = parent(v)) below_[at(v)] += histogram.count(value);
    for (std::int32_t v = 0; v < static_cast<std::int32_t>(below_.size()); ++v) {
      all_edges_ += Wide(length(v)) * Wide(below_[at(v)]);
      top_ = std::max(top_, tree.height[at(v)]);
    }
  }

  // Edges below which the class has no record differ by the relation's share: all edges' sum of
  // those, corrected on the paths from the class's values to the root.
  double of_class(std::int32_t c) {
    const std::int64_t s = histogram_.class_size(c), n = histogram_.records();
    seen_.clear();
    for (const ClassHistogram::Entry& entry : histogram_.entries(c)) {
      for (std::int32_t v = entry.value; v >= 0; v = parent(v)) {
        if (members_[at(v)] == 0) seen_.push_back(v);
        members_[at(v)] += entry.count;
      }
    }
    Wide sum = Wide(s) * all_edges_;
    for (const std::int32_t v : seen_) {
      const std::int64_t ours = n * members_[at(v)], theirs = s * below_[at(v)];
      sum -= Wide(length(v)) * Wide(theirs);
      sum += Wide(length(v)) * Wide(std::max(ours, theirs) - std::min(ours, theirs));
      members_[at(v)] = 0;
    }
    return top_ == 0 ? 0 : ratio(sum, 2 * Wide(s) * Wide(n) * Wide(top_));
  }

 private:
  static std::size_t at(std::int32_t v) { return static_cast<std::size_t>(v); }
  std::int32_t parent(std::int32_t v) const { return tree_.parent[at(v)]; }
  /// Of the edge to the parent, doubled.
  std::int32_t length(std::int32_t v) const {
    return parent(v) < 0 ? 0 : tree_.height[at(parent(v))] - tree_.height[at(v)];
  }

  void check() const {
    const auto nodes = static_cast<std::int32_t>(tree_.parent.size());
    bool good = tree_.height.size() == tree_.parent.size() && nodes >= histogram_.values();
    int roots = 0;
    for (std::int32_t v = 0; good && v < nodes; ++v) {
      const bool value = v < histogram_.values();
      good = value == (tree_.height[at(v)] == 0) && parent(v) >= -1 && parent(v) < nodes &&
             (parent(v) < 0 || length(v) > 0);
      roots += parent(v) < 0;
    }
    if (!good || roots != 1)
      throw Error(ErrorKind::invalid_parameter, "the hierarchy of a sensitive attribute is no tree",
                  "It needs one root, and heights that rise from 0 at the values to the root.");
  }

  const ClassHistogram& histogram_;
  const ValueTree& tree_;
  std::vector<std::int64_t> below_;    ///< records of the relation, by node
  std::vector<std::int64_t> members_;  ///< of the class, by node; zero between classes
  std::vector<std::int32_t> seen_;
  Wide all_edges_ = 0;
  std::int32_t top_ = 0;
};

}  // namespace

ValueTree value_tree(const std::vector<std::vector<std::int32_t>>& levels) {
  ValueTree tree;
  std::vector<std::int32_t> node(levels.front().size());  // of each value, on the level below
  std::iota(node.begin(), node.end(), 0);
  tree.parent.assign(node.size(), -1);
  tree.height.assign(node.size(), 0);
  for (std::size_t l = 0; l < levels.size(); ++l) {
    std::map<std::int32_t, std::int32_t> node_of_group;
    for (std::size_t v = 0; v < node.size(); ++v) {
      const auto next = static_cast<std::int32_t>(tree.parent.size());
      const auto [at, is_new] = node_of_group.try_emplace(levels[l].at(v), next);
      if (is_new) {
        tree.parent.push_back(-1);
        tree.height.push_back(static_cast<std::int32_t>(l) + 1);
      }
      tree.parent[static_cast<std::size_t>(node[v])] = at->second;
      node[v] = at->second;
    }
  }
  return tree;
}

Level hierarchical_t_closeness(const ClassHistogram& histogram, const ValueTree& tree,
                               Ticker& ticker) {
  TreeEmd emd(histogram, tree);
  return greatest_level(histogram, ticker, [&](std::int32_t c) { return emd.of_class(c); });
}

}  // namespace anonkit
