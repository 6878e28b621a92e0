#include "model/extended_p_sensitivity.hpp"

#include "base/error.hpp"
#include "model/counts.hpp"

namespace anonkit {
namespace {

[[noreturn]] void no_tree() {
  throw Error(ErrorKind::invalid_parameter, "the hierarchy of a sensitive attribute is no tree",
              "Every value needs a node, and a way up from there that ends.");
}

/// By value of the histogram: the root of its protected subtree.
std::vector<std::int32_t> lifted_values_of(const ProtectedTree& tree, std::int32_t values) {
  const std::size_t nodes = tree.parent.size();
  if (tree.is_protected.size() != nodes || nodes < static_cast<std::size_t>(values)) no_tree();
  std::vector<std::int32_t> lifted;
  for (std::int32_t value = 0; value < values; ++value) {
    lifted.push_back(value);
    std::size_t steps = 0;
    for (std::int32_t node = value; node != -1;
         node = tree.parent[static_cast<std::size_t>(node)]) {
      if (node < 0 || static_cast<std::size_t>(node) >= nodes || ++steps > nodes) no_tree();
      if (tree.is_protected[static_cast<std::size_t>(node)]) lifted.back() = node;
    }
  }
  return lifted;
}

/// The values, followed by the groups of each level.
ProtectedTree tree_of(const ClassHistogram& histogram) {
  ProtectedTree tree;
  tree.parent.assign(static_cast<std::size_t>(histogram.values()), -1);
  tree.is_protected.assign(tree.parent.size(), true);
  std::vector<std::size_t> below;  // by value: its node on the level below
  for (std::size_t v = 0; v < tree.parent.size(); ++v) below.push_back(v);
  for (std::size_t l = 0; l < histogram.is_protected().size(); ++l) {
    const std::vector<bool>& is_protected = histogram.is_protected()[l];
    const std::size_t first = tree.parent.size();
    for (std::size_t v = 0; v < below.size(); ++v) {
      const std::size_t node = first + static_cast<std::size_t>(histogram.levels()[l].at(v));
      tree.parent[below[v]] = static_cast<std::int32_t>(node);
      below[v] = node;
    }
    tree.parent.resize(first + is_protected.size(), -1);
    tree.is_protected.insert(tree.is_protected.end(), is_protected.begin(), is_protected.end());
  }
  return tree;
}

}  // namespace

Level extended_p_sensitivity(const ClassHistogram& histogram, const ProtectedTree& tree,
                             Ticker& ticker) {
  const std::vector<std::int32_t> lifted = lifted_values_of(tree, histogram.values());
  // A person with several values of a subtree has it once.
  if (histogram.has_units()) return p_sensitivity(histogram.grouped(lifted, ticker), ticker);
  std::vector<std::int32_t> last_class(tree.parent.size(), -1);
  return least_level(histogram, ticker, [&](std::int32_t c) -> double {
    std::int32_t subtrees = 0;
    for (const ClassHistogram::Entry& entry : histogram.entries(c)) {
      std::int32_t& last =
          last_class[static_cast<std::size_t>(lifted[static_cast<std::size_t>(entry.value)])];
      subtrees += last != c;
      last = c;
    }
    return subtrees;
  });
}

Level extended_p_sensitivity(const ClassHistogram& histogram, Ticker& ticker) {
  return extended_p_sensitivity(histogram, tree_of(histogram), ticker);
}

}  // namespace anonkit
