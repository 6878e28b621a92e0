#include "model/hierarchical_t_closeness.hpp"

#include <map>
#include <numeric>

#include "model/tree_emd.hpp"

namespace anonkit {
namespace {

/// The values that occur in the relation.
std::vector<ClassHistogram::Entry> all_entries(const ClassHistogram& histogram) {
  std::vector<ClassHistogram::Entry> entries;
  for (std::int32_t value = 0; value < histogram.values(); ++value)
    entries.push_back({value, 0, histogram.count(value)});
  return entries;
}

}  // namespace

ValueTree value_tree(const std::vector<std::vector<std::int32_t>>& levels) {
  ValueTree tree;
  std::vector<std::int32_t> node(levels.front().size());  // by value: the node on the level below
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
  const std::vector<ClassHistogram::Entry> all = all_entries(histogram);
  TreeEmd emd(tree, histogram.values());
  emd.set_population({all.data(), all.data() + all.size()}, histogram.weight());
  return greatest_level(histogram, ticker, [&](std::int32_t c) {
    return emd.distance(histogram.entries(c), histogram.class_weight(c));
  });
}

}  // namespace anonkit
