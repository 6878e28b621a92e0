#pragma once

#include "partition/partition.hpp"

namespace anonkit {

/// Stands for "no record" in a Change.
inline constexpr Record kNobody = -1;

/// Some records, owned by someone else; their order carries no meaning.
class Group {
 public:
  Group() = default;
  Group(const Record* first, Record count) : first_(first), count_(count) {}
  explicit Group(const std::vector<Record>& records)
      : first_(records.data()), count_(static_cast<Record>(records.size())) {}

  const Record* begin() const { return first_; }
  const Record* end() const { return first_ + count_; }
  Record size() const { return count_; }

 private:
  const Record* first_ = nullptr;
  Record count_ = 0;
};

/// A class that is about to change: `out` leaves it, `in` enters it, either may be kNobody.
/// Leaving, entering and being swapped are all the elementary changes that the search makes.
struct Change {
  ClassId id;
  Group members;  ///< before the change
  Record out = kNobody;
  Record in = kNobody;

  Record size_after() const {
    return members.size() - (out != kNobody ? 1 : 0) + (in != kNobody ? 1 : 0);
  }
};

/// Calls f for every record of the class as it will be.
template <class Function>
void for_each_after(const Change& change, Function&& f) {
  for (const Record i : change.members)
    if (i != change.out) f(i);
  if (change.in != kNobody) f(change.in);
}

}  // namespace anonkit
