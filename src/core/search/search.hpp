#pragma once

#include <algorithm>
#include <vector>

#include "base/ticker.hpp"
#include "constraint/constraint.hpp"
#include "partition/classes.hpp"
#include "partition/partition.hpp"
#include "search/loss/loss.hpp"
#include "search/neighbours.hpp"
#include "space/space.hpp"

namespace anonkit {

/// The state of a search over partitions, and the four ways to change it. Every state satisfies the
/// constraints, and every class has at least k records, if the start does. In a weighted space the
/// search moves points, which are never divided, and k counts the records that they stand for. Each
/// way changes the state only if that costs less than `limit`, is allowed, and tells whether it
/// did.
class Search {
 public:
  /// Every class of the start must have k records or more, and satisfy the constraints, else throws
  /// infeasible. Loss, constraints and ticker serve this search until it ends; after the ticker has
  /// thrown, it may only be destroyed.
  Search(const Space& space, const Neighbours& neighbours, const Partition& start, Record k,
         Loss& loss, const std::vector<Constraint*>& constraints, Ticker& ticker);

  /// Moves a record to another class; its own must have k records without it.
  bool move(Record i, ClassId to, double limit);
  /// Swaps two records of different classes.
  bool swap(Record i, Record j, double limit);
  /// Splits a class of at least 2k records: at the two ends of its longest extent.
  bool split(ClassId c, double limit);
  /// Gives each record of a class to the cheapest class among its neighbours'.
  bool dissolve(ClassId c, double limit);

  const Space& space() const { return space_; }
  const Neighbours& neighbours() const { return neighbours_; }
  const Classes& classes() const { return classes_; }
  /// Class ids are below this: a class has a point, and k records.
  ClassId capacity() const { return std::min(space_.size(), space_.records() / k_); }
  /// True if its class has k records without it.
  bool may_leave(Record i) const { return records(classes_.of(i)) - space_.weight(i) >= k_; }
  bool constrained() const { return !constraints_.empty(); }
  /// Changes whose cost was computed so far.
  std::int64_t tried() const { return tried_; }
  /// The work done so far, in changes tried: questions to the constraints and splits count by the
  /// size of the class. Budgets are counted in it, so that time is bounded however large classes
  /// grow.
  std::int64_t effort() const { return tried_ + asked_ / 16; }
  /// What all changes made so far cost together; negative if the loss is lower than at the start.
  double change() const { return change_; }

 private:
  Record records(ClassId c) const { return records_[static_cast<std::size_t>(c)]; }
  Record records(const RecordSpan& members) const;
  bool may_swap(Record i, Record j) const;
  void count_change();
  void count_members(std::int64_t members) const;
  bool allowed(const Change& change) const;
  bool allowed(const RecordSpan& members) const;
  double cost_of(const RecordSpan& members) const;
  void announce(const Change& change);
  void assign(ClassId c, const RecordSpan& members);
  void order_along_extent(ClassId c, std::vector<Record>& records) const;
  bool rehome(Record i, double limit, double* cost);

  const Space& space_;
  const Neighbours& neighbours_;
  Classes classes_;
  Record k_;
  std::vector<Record> records_;  ///< by class, by weight
  Loss& loss_;
  std::vector<Constraint*> constraints_;
  Ticker& ticker_;
  std::int64_t tried_ = 0;
  mutable std::int64_t asked_ = 0;  ///< members of classes that were looked at one by one
  double change_ = 0;
};

/// The loss of a partition computed afresh, class by class.
double total_loss(const Loss& loss, const Partition& partition, Ticker& ticker);

}  // namespace anonkit
