#pragma once

#include <cstddef>
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

/// The records of each class, ascending and contiguous: class c owns records[begin[c] ..
/// begin[c+1]).
struct Members {
  std::vector<Record> records;  ///< without suppressed ones
  std::vector<Record> begin;    ///< classes + 1

  std::size_t classes() const { return begin.size() - 1; }
  RecordSpan of(std::size_t c) const {
    return {records.data() + begin[c], begin[c + 1] - begin[c]};
  }
};

/// Lists the members of every class. O(n).
Members members_of(const Partition& partition);

}  // namespace anonkit
