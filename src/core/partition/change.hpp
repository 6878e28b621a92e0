#pragma once

#include "partition/partition.hpp"

namespace anonkit {

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
