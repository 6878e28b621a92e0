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

/// Counts the values of split groups, which tells a steward the extent of the error.
void check_not_split(const std::vector<bool>& is_split, const std::vector<std::int32_t>& group,
                     std::size_t level) {
  std::int64_t values = 0;
  for (const std::int32_t g : group) values += is_split[at(g)] ? 1 : 0;
  if (values > 0)
    throw Error(ErrorKind::invalid_data, "the hierarchy is not a tree",
                "At level " + std::to_string(level) + ", " + std::to_string(values) +
                    " values have a label that is part of several labels of the level above.");
}

}  // namespace

Hierarchy::Hierarchy(std::vector<std::vector<std::int32_t>> levels, Ticker& ticker)
    : group_(std::move(levels)) {
  if (group_.empty() || group_.front().empty())
    throw Error(ErrorKind::invalid_data, "a hierarchy needs a level and a value");
  std::vector<std::int32_t> values(group_.front().size());
  std::iota(values.begin(), values.end(), 0);
  group_.insert(group_.begin(), std::move(values));
  for (std::size_t l = 0; l < group_.size(); ++l) {
    ticker.step(4 * static_cast<std::int64_t>(group_.front().size()));
    count_leaves(l);
    if (l > 0) find_parents(l - 1);
  }
  if (leaves_.back().size() != 1) not_a_tree(group_.size() - 1, "is the last, and has two groups.");
}

Hierarchy::Hierarchy(std::vector<std::vector<std::int32_t>> levels) {
  SilentTicker ticker;
  *this = Hierarchy(std::move(levels), ticker);
}

void Hierarchy::count_leaves(std::size_t level) {
  if (group_[level].size() != group_.front().size())
    not_a_tree(level, "does not have every value once.");
  leaves_.emplace_back(count_groups(group_[level], level), 0);
  for (const std::int32_t g : group_[level]) ++leaves_[level][at(g)];
}

void Hierarchy::find_parents(std::size_t level) {
  const std::vector<std::int32_t>& above = group_[level + 1];
  parent_.emplace_back(leaves_[level].size(), -1);
  std::vector<bool> is_split(leaves_[level].size(), false);
  for (std::size_t v = 0; v < above.size(); ++v) {
    std::int32_t& parent = parent_[level][at(group_[level][v])];
    if (parent < 0) parent = above[v];
    if (parent != above[v]) is_split[at(group_[level][v])] = true;
  }
  check_not_split(is_split, group_[level], level);
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
