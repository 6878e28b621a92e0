#pragma once

#include <memory>
#include <vector>

#include "partition/change.hpp"

namespace anonkit {

/// The condition of a privacy model on every class, evaluated by the search one change at a time.
///
/// A constraint stores a summary of each class (a count, a histogram, sorted values) and answers in
/// O(1) to O(class size). It accepts a class if and only if the model holds for the class, so the
/// search only reaches partitions that satisfy the model. Constraints apply to single classes; a
/// change of two classes is allowed if both changes are.
///
/// Protocol: begin(capacity), then assign() for each class of the start. Later the search announces
/// every change of a class by apply() or assign(), before it updates its own lists. Class ids are
/// below the capacity. An id whose class assign() has emptied may be reused. Constraints must not
/// rely on the k of the search.
class Constraint {
 public:
  virtual ~Constraint() = default;

  /// Discards all state and allocates the classes 0 .. capacity-1, all empty.
  virtual void begin(ClassId capacity) = 0;

  /// True if these records may form a class. The records need not be an existing class, but there
  /// is at least one.
  virtual bool allows(const RecordSpan& members) const = 0;

  /// True if the change is allowed. The class exists and keeps a record.
  virtual bool allows(const Change& change) const = 0;

  /// Applies a change: an allowed one, or the reversal of an earlier one.
  virtual void apply(const Change& change) = 0;

  /// Sets the records of the class; an empty span frees the id.
  virtual void assign(ClassId id, const RecordSpan& members) = 0;
};

using Constraints = std::vector<std::unique_ptr<Constraint>>;

}  // namespace anonkit
