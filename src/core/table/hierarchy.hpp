#pragma once

// Value generalisation hierarchies (Samarati 2001, section 2; Sweeney 2002, section 3).
//
// Invariants: level 0 holds the values themselves. Every level is a union of groups of the level
// below. The top level is a single group, which stands for suppression. A hierarchy never changes
// after its construction. Memory O(values height).
//
//   const Hierarchy ages({{0, 0, 1, 1}, {0, 0, 0, 0}});  // four values, two groups, one group
//   ages.common_level(0, 1);                             // 1
//   ages.common_level(0, 3);                             // 2 = ages.height()

#include <cstdint>
#include <vector>

#include "base/at.hpp"
#include "base/ticker.hpp"

namespace anonkit {

/// A value generalisation hierarchy over the values 0 .. values()-1 of one attribute. Values are
/// the codes of a category, or the ranks of distinct numbers.
class Hierarchy {
 public:
  /// `levels` gives the group of every value on the levels 1 .. height. Groups are numbered from 0
  /// in the order of their first values. Throws invalid_data unless there is a level, the last one
  /// is a single group, and each level is a union of groups of the level below. O(values height).
  Hierarchy(std::vector<std::vector<std::int32_t>> levels, Ticker& ticker);
  explicit Hierarchy(std::vector<std::vector<std::int32_t>> levels);

  /// A hierarchy of one level with one group of all values: publish a value or suppress it.
  static Hierarchy suppression(std::int32_t values);

  std::int32_t values() const { return static_cast<std::int32_t>(group_.front().size()); }
  /// The number of the top level.
  std::int32_t height() const { return static_cast<std::int32_t>(group_.size()) - 1; }
  /// The groups of a level.
  std::int32_t groups(std::int32_t level) const {
    return static_cast<std::int32_t>(leaves_[at(level)].size());
  }
  /// The group of each value at a level.
  const std::vector<std::int32_t>& level(std::int32_t level) const { return group_[at(level)]; }
  std::int32_t group(std::int32_t level, std::int32_t value) const {
    return group_[at(level)][at(value)];
  }
  /// The group at level+1 that contains a group of a level below the top.
  std::int32_t parent(std::int32_t level, std::int32_t group) const {
    return parent_[at(level)][at(group)];
  }
  /// The number of values in a group.
  std::int32_t leaves(std::int32_t level, std::int32_t group) const {
    return leaves_[at(level)][at(group)];
  }
  /// The lowest level at which two values are in one group. O(height).
  std::int32_t common_level(std::int32_t a, std::int32_t b) const;

  /// The normalised certainty penalty of a group (Xu et al. 2006): 0 for a single value, else its
  /// share of all values.
  double ncp(std::int32_t level, std::int32_t group) const {
    const std::int32_t n = leaves(level, group);
    return n == 1 ? 0 : static_cast<double>(n) / values();
  }

 private:
  void count_leaves(std::size_t level);
  void find_parents(std::size_t level);

  std::vector<std::vector<std::int32_t>> group_;   ///< by level and value
  std::vector<std::vector<std::int32_t>> leaves_;  ///< by level and group
  std::vector<std::vector<std::int32_t>> parent_;  ///< by level and group
};

}  // namespace anonkit
