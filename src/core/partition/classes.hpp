#pragma once

#include <vector>

#include "base/ticker.hpp"
#include "partition/change.hpp"
#include "partition/partition.hpp"

namespace anonkit {

/// A mutable partition: the class of each record, and the records of each class. Ids of emptied
/// classes are reused. All operations are O(1) unless stated otherwise.
class Classes {
 public:
  Classes(const Partition& partition, Ticker& ticker);

  ClassId of(Record i) const { return class_of_[static_cast<std::size_t>(i)]; }
  Record size(ClassId c) const { return static_cast<Record>(list(c).size()); }
  RecordSpan members(ClassId c) const { return RecordSpan(list(c)); }
  Record member(ClassId c, Record at) const { return list(c)[static_cast<std::size_t>(at)]; }
  /// An upper bound of the ids; some ids below it may be empty.
  ClassId ids() const { return static_cast<ClassId>(lists_.size()); }

  void move(Record i, ClassId to);
  void swap(Record i, Record j);
  /// An id without records; ids() grows if all are in use.
  ClassId empty_id();
  /// Returns the id of a class that has lost its last record to the free ids.
  void release(ClassId c) { free_.push_back(c); }

  const std::vector<ClassId>& class_of() const { return class_of_; }

 private:
  const std::vector<Record>& list(ClassId c) const { return lists_[static_cast<std::size_t>(c)]; }

  std::vector<ClassId> class_of_;
  std::vector<Record> position_;  ///< by record: its index in its class's list
  std::vector<std::vector<Record>> lists_;
  std::vector<ClassId> free_;
};

}  // namespace anonkit
