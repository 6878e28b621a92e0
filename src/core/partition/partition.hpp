#pragma once

#include <cstdint>
#include <vector>

#include "base/record.hpp"

namespace anonkit {

/// Equivalence classes: every record belongs to exactly one class, or is suppressed; every class
/// has a record.
struct Partition {
  std::vector<ClassId> class_of;  ///< one per record, 0 .. classes-1 or kNone
  ClassId classes = 0;
};

/// Numbers the classes by their first record, so that equal partitions are equal values whatever
/// algorithm made them. O(n).
void number_by_first_record(Partition& partition);

/// The records of each class, in ascending order, back to back: class c owns
/// records[begin[c] .. begin[c+1]).
struct Members {
  std::vector<Record> records;  ///< all that are not suppressed
  std::vector<Record> begin;    ///< classes + 1
};

/// Lists the members of every class. O(n).
Members members_of(const Partition& partition);

}  // namespace anonkit
