#pragma once

#include <cstdint>
#include <vector>

namespace anonkit {

/// How many records have each of some codes, from 0 on, as a binary tree over the codes: add, and
/// the median or the mode, cost O(log codes). A linear search of a text column in which most values
/// differ would cost as much as the search for the nearest record.
class Tally {
 public:
  enum class Of { median, mode };

  Tally() = default;
  Tally(std::int32_t codes, Of of);

  void add(std::int32_t code, std::int32_t records);
  /// The lowest code such that this many records have it or a lower one, of a tally of a median.
  std::int32_t code_of_record(std::int32_t number) const;
  /// The code of most records, the lowest of several, of a tally of a mode.
  std::int32_t most_frequent() const;

 private:
  Of of_ = Of::mode;
  std::size_t leaves_ = 1;
  // The root is at 1, children of n at 2n and 2n + 1, leaves last. A node is the sum of its
  // children for a median, and the larger of them for a mode. A median needs no root.
  std::vector<std::int32_t> tree_;
};

}  // namespace anonkit
