#include "table/hierarchy.hpp"

#include <numeric>
#include <string>

#include "base/error.hpp"

namespace anonkit {
namespace {

[[noreturn]] void not_a_tree(std::size_t level, const char* why) {
  throw Error(ErrorKind::invalid_data, "the hierarchy is not a tree",
              "Level " + std::to_string(level) + " " + why);
}

/// The number of groups of a level; they must be numbered by their first value.
std::int32_t count_groups(const std::vector<std::int32_t>& group, std::size_t level) {
  std::int32_t groups = 0;
  for (const std::int32_t g : group) {
    if (g < 0 || g > groups) not_a_tree(level, "does not number its groups from the first value.");
    if (g == groups) ++groups;
  }
  return groups;
}

}  // namespace

Hierarchy::Hierarchy(std::vector<std::vector<std::int32_t>> levels) : group_(std::move(levels)) {
  if (group_.empty() || group_.front().empty())
    throw Error(ErrorKind::invalid_data, "a hierarchy needs a level and a value");
  std::vector<std::int32_t> values(group_.front().size());
  std::iota(values.begin(), values.end(), 0);
  group_.insert(group_.begin(), std::move(values));
  for (std::size_t l = 0; l < group_.size(); ++l) {
    if (group_[l].size() != group_.front().size()) not_a_tree(l, "does not have every value once.");
    leaves_.emplace_back(count_groups(group_[l], l), 0);
    for (const std::int32_t g : group_[l]) ++leaves_[l][at(g)];
    if (l == 0) continue;
    parent_.emplace_back(leaves_[l - 1].size(), -1);
    for (std::size_t v = 0; v < group_[l].size(); ++v) {
      std::int32_t& parent = parent_[l - 1][at(group_[l - 1][v])];
      if (parent >= 0 && parent != group_[l][v])
        not_a_tree(l, "splits a group of the level below.");
      parent = group_[l][v];
    }
  }
  if (leaves_.back().size() != 1) not_a_tree(group_.size() - 1, "is the last, and has two groups.");
}

Hierarchy Hierarchy::suppression(std::int32_t values) {
  return Hierarchy({std::vector<std::int32_t>(at(values), 0)});
}

std::int32_t Hierarchy::common_level(std::int32_t a, std::int32_t b) const {
  std::int32_t level = 0;
  while (group(level, a) != group(level, b)) ++level;
  return level;
}

}  // namespace anonkit
