#pragma once

#include <vector>

#include "base/random.hpp"
#include "partition/partition.hpp"

namespace anonkit {

/// A list of records with random choice and removal, all in O(1). The choice depends on the history
/// of additions and removals.
class ShrinkingList {
 public:
  /// A list for records below n, initially empty.
  explicit ShrinkingList(Record n) : place_(static_cast<std::size_t>(n), -1) {}

  Record size() const { return static_cast<Record>(list_.size()); }
  bool contains(Record i) const { return place_[static_cast<std::size_t>(i)] >= 0; }
  const std::vector<Record>& records() const { return list_; }

  void add(Record i) {
    place_[static_cast<std::size_t>(i)] = size();
    list_.push_back(i);
  }
  void remove(Record i) {
    Record& place = place_[static_cast<std::size_t>(i)];
    list_[static_cast<std::size_t>(place)] = list_.back();
    place_[static_cast<std::size_t>(list_.back())] = place;
    list_.pop_back();
    place = -1;
  }
  /// A random member of the list, which must not be empty.
  Record pick(Random& random) const {
    return list_[random.below(static_cast<std::uint32_t>(list_.size()))];
  }

 private:
  std::vector<Record> list_;
  std::vector<Record> place_;  ///< by record: its index in the list, or -1
};

}  // namespace anonkit
