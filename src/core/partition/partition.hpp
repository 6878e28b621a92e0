#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
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

/// Adds the classes of records that have none yet; `of_others` has kNone for the records that do.
void add_classes(Partition& partition, const Partition& of_others);

/// Puts the records of each list into a class of their own. O(n).
void set_classes(Partition& partition, const std::vector<std::vector<Record>>& lists);

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

/// The records of each class, ascending and contiguous: class c owns records[first_of[c] ..
/// first_of[c+1]). A range of classes, by number:
///
///   for (const RecordSpan records : members_of(partition)) ...
struct Members {
  std::vector<Record> records;   ///< without suppressed ones
  std::vector<Record> first_of;  ///< classes + 1

  std::size_t classes() const { return first_of.size() - 1; }
  RecordSpan of(std::size_t c) const {
    return {records.data() + first_of[c], first_of[c + 1] - first_of[c]};
  }

  struct Iterator {
    using iterator_category = std::input_iterator_tag;
    using value_type = RecordSpan;
    using difference_type = std::ptrdiff_t;
    using pointer = const RecordSpan*;
    using reference = RecordSpan;

    const Members* members;
    std::size_t c;

    RecordSpan operator*() const { return members->of(c); }
    Iterator& operator++() {
      ++c;
      return *this;
    }
    bool operator==(const Iterator& other) const { return c == other.c; }
    bool operator!=(const Iterator& other) const { return c != other.c; }
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, classes()}; }
};

/// Lists the members of every class. O(n).
Members members_of(const Partition& partition);

}  // namespace anonkit
