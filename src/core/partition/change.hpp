#pragma once

#include "partition/partition.hpp"

namespace anonkit {

/// A view of records that the caller owns; their order carries no meaning.
class RecordSpan {
 public:
  RecordSpan() = default;
  RecordSpan(const Record* first, Record count) : first_(first), count_(count) {}
  explicit RecordSpan(const std::vector<Record>& records)
      : first_(records.data()), count_(static_cast<Record>(records.size())) {}

  const Record* begin() const { return first_; }
  const Record* end() const { return first_ + count_; }
  Record size() const { return count_; }

 private:
  const Record* first_ = nullptr;
  Record count_ = 0;
};

/// A class about to change: `out` leaves it and `in` enters it; either may be kNone. The search
/// combines all its moves from these elementary changes: leave, enter and swap.
struct Change {
  ClassId id;
  RecordSpan members;  ///< before the change
  Record out = kNone;
  Record in = kNone;

  Record size_after() const {
    return members.size() - (out != kNone ? 1 : 0) + (in != kNone ? 1 : 0);
  }
};

/// Calls f for every record of the class after the change.
template <class Function>
void for_each_after(const Change& change, Function&& f) {
  for (const Record i : change.members)
    if (i != change.out) f(i);
  if (change.in != kNone) f(change.in);
}

}  // namespace anonkit
