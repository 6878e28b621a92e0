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

/// Numbers the classes by their first records, so that equal partitions are equal values, whichever
/// algorithm made them, and counts those that have records. O(n).
void number_by_first_record(Partition& partition);

/// The records of each class, ascending and contiguous: class c owns records[begin[c] ..
/// begin[c+1]).
struct Members {
  std::vector<Record> records;  ///< without suppressed ones
  std::vector<Record> begin;    ///< classes + 1
};

/// Lists the members of every class. O(n).
Members members_of(const Partition& partition);

}  // namespace anonkit
