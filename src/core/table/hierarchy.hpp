#pragma once

#include <cstdint>
#include <vector>

#include "base/at.hpp"
#include "base/ticker.hpp"

namespace anonkit {

/// A value generalisation hierarchy over the values 0 .. values()-1 of one attribute (the codes of
/// a category, the ranks of distinct numbers). Level 0 is the values themselves; each level above
/// puts whole groups of the level below together; the top level, height(), is one group: the value
/// is suppressed. Samarati 2001, section 2; Sweeney 2002, section 3.
class Hierarchy {
 public:
  /// Of the levels 1 .. height: the group of every value. Groups are numbered from 0 in the order
  /// of the first value that each has. Throws invalid_data unless each level is made of whole
  /// groups of the one below, and the last of a single group; there must be a level.
  /// O(values height).
  Hierarchy(std::vector<std::vector<std::int32_t>> levels, Ticker& ticker);
  explicit Hierarchy(std::vector<std::vector<std::int32_t>> levels);

  /// Level 1 is one group of all values: publish it or suppress it.
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
  /// The group at level+1 that a group of a level below the top is part of.
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
