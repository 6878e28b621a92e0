#pragma once

#include <vector>

#include "base/ticker.hpp"
#include "partition/change.hpp"
#include "partition/partition.hpp"

namespace anonkit {

/// A partition that changes: which class a record is in, and which records a class has. Ids of
/// emptied classes are kept for new ones. All operations are O(1) but where said otherwise.
class Classes {
 public:
  Classes(const Partition& partition, Ticker& ticker);

  ClassId of(Record i) const { return class_of_[static_cast<std::size_t>(i)]; }
  Record size(ClassId c) const { return static_cast<Record>(list(c).size()); }
  RecordSpan members(ClassId c) const { return RecordSpan(list(c)); }
  Record member(ClassId c, Record at) const { return list(c)[static_cast<std::size_t>(at)]; }
  /// Ids are below this; some may be empty.
  ClassId ids() const { return static_cast<ClassId>(lists_.size()); }

  void move(Record i, ClassId to);
  void swap(Record i, Record j);
  /// An id without records; ids() grows if there is none.
  ClassId empty_id();
  /// Gives the id of a class whose last record has moved away back.
  void release(ClassId c) { free_.push_back(c); }

  const std::vector<ClassId>& class_of() const { return class_of_; }

 private:
  const std::vector<Record>& list(ClassId c) const { return lists_[static_cast<std::size_t>(c)]; }

  std::vector<ClassId> class_of_;
  std::vector<Record> position_;  ///< of each record in its class's list
  std::vector<std::vector<Record>> lists_;
  std::vector<ClassId> free_;
};

}  // namespace anonkit
