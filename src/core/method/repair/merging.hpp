#pragma once

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "promise/promised.hpp"
#include "space/space.hpp"

namespace anonkit {

/// A condition on classes, for merging until every class satisfies it.
class ClassCondition {
 public:
  virtual ~ClassCondition() = default;

  /// Registers an initial class; called once per class, in the order of their numbers.
  virtual void enter(ClassId c, const RecordSpan& members) = 0;
  /// Notes that the class `from` has joined `into`, which now has these members.
  virtual void merge(ClassId from, ClassId into) = 0;
  /// True if the class satisfies the condition; otherwise `level` states its urgency.
  virtual bool satisfied(ClassId c, const RecordSpan& members, double* level) const = 0;
};

/// The second step of Algorithm 1 of Soria-Comas, Domingo-Ferrer, Sanchez and Martinez (2015,
/// section 5), for any condition and any initial classes. While a class violates the condition, the
/// most urgent one merges with the class whose centroid is nearest to its own. Ties go to the class
/// with the lower first record. In the end every class satisfies the condition, or there is one
/// class.
///
/// A queue of the classes by level and an index of their centroids. About O(log n) and O(class
/// size) per merger, beside the condition's own work. Takes and returns classes numbered by their
/// first record.
Partition merge_until_satisfied(const Space& space, Partition partition, ClassCondition& condition,
                                Ticker& ticker);

/// Merges until the constraints allow every class, smallest class first.
Partition merge_until_allowed(const Space& space, Partition partition,
                              const Constraints& constraints, Ticker& ticker);

/// True if the constraints allow every class.
bool all_allow(const Constraints& constraints, const Partition& partition, Ticker& ticker);

}  // namespace anonkit
