#pragma once

#include "base/ticker.hpp"
#include "constraint/promised.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

/// What classes have to satisfy, for classes that are merged until they do.
class ClassDemand {
 public:
  virtual ~ClassDemand() = default;

  /// One of the classes to begin with; called for each, in the order of their numbers.
  virtual void enter(ClassId c, const RecordSpan& members) = 0;
  /// The class `from` has joined `into`, which has these members now.
  virtual void merge(ClassId from, ClassId into) = 0;
  /// True if the class satisfies what is asked; else `level` says how urgently it has to change.
  virtual bool satisfied(ClassId c, const RecordSpan& members, double* level) const = 0;
};

/// The second step of Algorithm 1 of Soria-Comas, Domingo-Ferrer, Sanchez and Martinez (2015,
/// section 5), for any demand and for classes from any source: while a class does not satisfy it,
/// the most urgent one is merged with the class whose centroid is nearest to its own. Ties, of
/// either kind, go to the class with the lower first record. In the end every class satisfies the
/// demand, or there is one class.
///
/// A queue of the classes by their level and an index of their centroids: O(log n) or so and
/// O(class size) for each merger, beside the demand's own work. Takes and returns classes numbered
/// by their first record.
Partition merge_until_satisfied(const Space& space, Partition partition, ClassDemand& demand,
                                Ticker& ticker);

/// Merges until the constraints allow every class, the smallest class first.
Partition merge_until_allowed(const Space& space, Partition partition,
                              const Constraints& constraints, Ticker& ticker);

/// True if the constraints allow every class.
bool all_allow(const Constraints& constraints, const Partition& partition, Ticker& ticker);

}  // namespace anonkit
