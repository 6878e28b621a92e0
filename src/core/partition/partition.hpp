#pragma once

#include <cstdint>
#include <vector>

namespace anonkit {

/// A record's place in the canonical order (see data/canonical_order.hpp).
using Record = std::int32_t;
using ClassId = std::int32_t;

/// Stands for the class of a record that is left out of the release.
inline constexpr ClassId kSuppressed = -1;

/// Equivalence classes: every record belongs to exactly one class, or is suppressed; every class
/// has a record.
struct Partition {
  std::vector<ClassId> class_of;  ///< one per record, 0 .. classes-1 or kSuppressed
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
