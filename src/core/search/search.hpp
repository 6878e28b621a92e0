#pragma once

// The state of a local search over partitions, and the operations that change it.
//
// Phases: construction announces the start to the loss and the constraints; each operation computes
// the cost, checks k and the constraints, and then applies the change. Invariant: if the start
// satisfies the constraints and has at least k records per class, so does every later state. In a
// weighted space the search moves points, never parts of them, and k counts the records that they
// represent. Memory O(n) beside the loss and the constraints.
//
//   Search search(space, near, start, k, loss, constraints, ticker);
//   search.swap(3, 8, 0);   // swaps records 3 and 8, if that lowers the loss
//   search.dissolve(2, 0);  // distributes class 2 over its neighbours, if that lowers the loss

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/random.hpp"
#include "base/ticker.hpp"
#include "partition/classes.hpp"
#include "partition/partition.hpp"
#include "promise/constraint.hpp"
#include "search/loss/loss.hpp"
#include "search/neighbours.hpp"
#include "space/space.hpp"

namespace anonkit {

/// A partition under change. Each operation applies its change only if the change is allowed and
/// costs less than `limit`, and returns true if it did.
class Search {
 public:
  /// Throws infeasible unless every class of the start has at least k records and satisfies the
  /// constraints. Loss, constraints and ticker belong to this search until it ends. After an
  /// exception of the ticker, the search may only be destroyed. O(n d).
  Search(const Space& space, const Neighbours& neighbours, const Partition& start, Record k,
         Loss& loss, const std::vector<Constraint*>& constraints, Ticker& ticker);

  /// Moves a record to another class; its own class must keep k records.
  bool move(Record i, ClassId to, double limit);
  /// Swaps two records of different classes.
  bool swap(Record i, Record j, double limit);
  /// Swaps a record with the first record of another class whose swap is allowed and costs less.
  bool swap_into(Record i, ClassId to, double limit);
  /// Moves a record to another class, and a record near its own class into its place: the cheapest
  /// one of a third class that can spare it. So a record leaves a class that has k records, or that
  /// needs its value. Evaluated only if the loss falls without the replacement. Returns the third
  /// class, or kNone.
  ClassId relay(Record i, ClassId to, double limit);
  /// Splits a class of at least 2k records, between the two ends of its longest extent.
  bool split(ClassId c, double limit);
  /// Moves each record of a class to the cheapest class among its neighbours'. So a class joins
  /// another one, and those of its records that are then free to leave go elsewhere. A union alone
  /// gains nothing: each class publishes the value that is best for it.
  bool dissolve(ClassId c, double limit);
  /// Forms the records of these classes anew: one class after another from a random record, by the
  /// record that costs least, until it may be a class. Records that are left join where they cost
  /// least. So several records change their classes at once.
  bool recreate(const std::vector<ClassId>& ids, Random& random, double limit);

  const Space& space() const { return space_; }
  Record k() const { return k_; }
  const Neighbours& neighbours() const { return neighbours_; }
  const Classes& classes() const { return classes_; }
  /// Upper bound of class ids: every class has a point and k records.
  ClassId capacity() const { return std::min(space_.size(), space_.records() / k_); }
  /// True if the record's class has k records without it.
  bool may_leave(Record i) const { return records(classes_.of(i)) - space_.weight(i) >= k_; }
  /// The loss that the record's class saves without it. A class does not lose less when it grows,
  /// but for medians of ordered categories. So a move gains at most as much, and a swap at most as
  /// much as both records together.
  double gain(Record i) const;
  /// The loss of a class for each of its records.
  double mean_loss(ClassId c) const { return cost_of(classes_.members(c)) / records(c); }
  bool constrained() const { return !constraints_.empty(); }
  /// The number of changes evaluated so far.
  std::int64_t tried() const { return tried_; }
  /// The work done so far, in changes evaluated. Constraint evaluations and splits count by the
  /// size of the class. Budgets limit this number, so that large classes cannot exceed the time.
  std::int64_t effort() const { return tried_ + asked_ / 16; }
  /// The total cost of all changes so far; negative if the loss is lower than at the start.
  double change() const { return change_; }

 private:
  Record records(ClassId c) const { return records_[static_cast<std::size_t>(c)]; }
  Record records(const RecordSpan& members) const;
  enum class Outcome { done, too_dear, refused };
  Outcome try_swap(Record i, Record j, double limit, double least);
  double cost_of_swap(const Change& here, const Change& there, double limit, double least) const;
  double least_of_swap(Record i) const;
  void prefetch(const RecordSpan& members) const;
  Record replacement(Record i, const Change& enter, double limit, double* cost);
  bool alike(Record i, Record j) const;
  bool may_swap(Record i, Record j) const;
  void count_change();
  void count_members(std::int64_t members) const;
  bool allowed(const Change& change) const;
  bool allowed(const RecordSpan& members) const;
  /// The members that the constraints visit of a class of this size.
  std::int64_t asked_of(Record size) const {
    return size * static_cast<std::int64_t>(constraints_.size());
  }
  enum class Verdict : std::uint8_t { unasked, head_refused, tail_refused, allowed };
  /// A class in two parts along its extent: the first of them has `head` members.
  struct Cut {
    Record head;
    double cost;
    Verdict verdict;
  };
  /// The cuts of a class of these members.
  struct Cuts {
    std::vector<Record> members;
    std::vector<Cut> cuts;
  };
  void evaluate_cuts(ClassId c, std::vector<Record>& order, Cuts& cuts) const;
  bool allowed(ClassId c, Cut& cut, std::vector<Record>& order);
  double cost_of(const RecordSpan& members) const;
  void announce(const Change& change);
  void assign(ClassId c, const RecordSpan& members);
  void order_along_extent(ClassId c, std::vector<Record>& records) const;
  bool rehome(Record i, double limit, double* cost);
  bool grow_draft(std::size_t draft, double* cost);
  void join_draft(std::size_t drafts, double* cost);
  void enter_draft(std::size_t draft);
  void take_drafts(std::vector<ClassId> ids, std::size_t drafts);
  static constexpr std::size_t kMostDrafts = 32;
  /// The loss knows drafts by ids above those of classes.
  ClassId draft_id(std::size_t draft) const { return capacity() + static_cast<ClassId>(draft); }

  const Space& space_;
  const Neighbours& neighbours_;
  Classes classes_;
  Record k_;
  std::vector<Record> records_;  ///< by class, by weight
  Loss& loss_;
  std::vector<Constraint*> constraints_;
  Ticker& ticker_;
  std::int64_t tried_ = 0;
  mutable std::int64_t asked_ = 0;  ///< class members visited one by one
  double change_ = 0;
  std::unordered_map<ClassId, Cuts> cuts_;   ///< of large classes, as they were
  std::vector<Record> loose_;                ///< records that recreate() has put in no draft yet
  std::vector<std::vector<Record>> drafts_;  ///< the classes that it plans
};

/// The loss of a partition, computed afresh class by class. O(n d).
double total_loss(const Loss& loss, const Partition& partition, Ticker& ticker);

}  // namespace anonkit
