#pragma once

#include <limits>

#include "partition/change.hpp"

namespace anonkit {

/// The parameters of a search that suit a loss.
struct Schedule {
  /// In units of the mean loss per record after a first descent.
  double first_temperature = 1;
  double last_temperature = 0.02;
  double effort = 1;  ///< multiplies the number of changes that an annealing evaluates
  /// The effort of ruin and recreate, as a multiple of the annealing's before it.
  double recreate = 0.4;
  /// That of a fast search of thousands of records, as a multiple of its first descent's.
  double recreate_many = 0.5;
};

/// The information loss that the search lowers. It sums over classes a cost that depends on the
/// class's records alone (SSE to the centroid, NCP of ranges or of hierarchy ancestors).
///
/// The protocol is that of Constraint. The search calls begin, assign for each class of the start,
/// then apply or assign for every change, before it updates its own lists.
class Loss {
 public:
  virtual ~Loss() = default;

  /// Discards all state and allocates the classes 0 .. capacity-1, all empty.
  virtual void begin(ClassId capacity) = 0;

  /// The cost of a class of these records, from scratch; 0 if there are none. It depends only on
  /// the set of records and their order, never on earlier announcements.
  virtual double cost(const RecordSpan& members) const = 0;

  /// The cost of the class after the change minus the cost before.
  virtual double delta(const Change& change) const = 0;

  /// The change of loss if two classes change at once, by a move or a swap. This is the inner loop
  /// of the search. A loss overrides it if the sum has a shorter form than its parts.
  virtual double delta(const Change& from, const Change& to) const {
    return delta(from) + delta(to);
  }

  /// A bound below the delta of every change in which a record enters as that one leaves, or
  /// -infinity. So a swap may be seen to be too dear by its other half.
  virtual double least_of_swap(const Change& leave) const {
    (void)leave;
    return -std::numeric_limits<double>::infinity();
  }

  /// Announces a record that the next changes are about. Records of a class are scattered over
  /// memory, and the search waits for them more than it computes.
  virtual void prefetch(Record i) const { (void)i; }

  virtual Schedule schedule() const { return {}; }

  virtual void apply(const Change& change) = 0;
  virtual void assign(ClassId id, const RecordSpan& members) = 0;
};

}  // namespace anonkit
