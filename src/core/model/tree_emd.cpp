#include "model/tree_emd.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace anonkit {

TreeEmd::TreeEmd(const ValueTree& tree, std::int32_t values)
    : tree_(tree), below_(tree.parent.size(), 0), members_(below_) {
  check(values);
  top_ = *std::max_element(tree.height.begin(), tree.height.end());
}

void TreeEmd::set_population(ClassHistogram::Entries entries, std::int64_t size) {
  for (const std::int32_t v : population_) below_[at(v)] = 0;
  population_.clear();
  count(entries, &below_, &population_);
  size_ = size;
  all_edges_ = 0;
  for (const std::int32_t v : population_) all_edges_ += Wide(length(v)) * Wide(below_[at(v)]);
}

// Below an edge without records of the part, the difference is the population's share. The sum over
// all edges of these shares is corrected on the paths from the part's values to the root.
double TreeEmd::distance(ClassHistogram::Entries part, std::int64_t size) {
  seen_.clear();
  count(part, &members_, &seen_);
  Wide sum = Wide(size) * all_edges_;
  for (const std::int32_t v : seen_) {
    const Wide ours = Wide(size_) * Wide(members_[at(v)]);
    const Wide theirs = Wide(size) * Wide(below_[at(v)]);
    sum -= Wide(length(v)) * theirs;
    sum += Wide(length(v)) * (std::max(ours, theirs) - std::min(ours, theirs));
    members_[at(v)] = 0;
  }
  return top_ == 0 ? 0 : ratio(sum, 2 * Wide(size) * Wide(size_) * Wide(top_));
}

/// Adds the counts below each node, and lists the nodes.
void TreeEmd::count(ClassHistogram::Entries entries, Counts* counts,
                    std::vector<std::int32_t>* seen) {
  for (const ClassHistogram::Entry& entry : entries) {
    for (std::int32_t v = entry.value; v >= 0; v = parent(v)) {
      if ((*counts)[at(v)] == 0) seen->push_back(v);
      (*counts)[at(v)] += entry.weight;
    }
  }
}

void TreeEmd::check(std::int32_t values) const {
  const auto nodes = static_cast<std::int32_t>(tree_.parent.size());
  bool good = tree_.height.size() == tree_.parent.size() && nodes >= values;
  int roots = 0;
  for (std::int32_t v = 0; good && v < nodes; ++v) {
    const bool value = v < values;
    good = value == (tree_.height[at(v)] == 0) && parent(v) >= -1 && parent(v) < nodes &&
           (parent(v) < 0 || length(v) > 0);
    roots += parent(v) < 0;
  }
  if (!good || roots != 1)
    throw Error(ErrorKind::invalid_parameter, "the hierarchy of a sensitive attribute is no tree",
                "It needs one root, and heights that rise from 0 at the values to the root.");
}

}  // namespace anonkit
