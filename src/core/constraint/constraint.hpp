#pragma once

#include "partition/change.hpp"

namespace anonkit {

/// What a privacy model demands of every class, told to the search one change at a time.
///
/// A constraint keeps what it needs to know of each class (a count, a histogram, sorted values) and
/// answers in O(1) to O(class size). It is exact: it accepts a class if and only if the model holds
/// for it, so the search can only ever reach partitions that satisfy the model. Constraints are
/// on single classes; a change of two classes is allowed if both changes are.
///
/// Protocol: begin(capacity), then assign() for each class of the start. After that every change of
/// a class is announced by apply() or assign(), before the search's own lists change. Class ids are
/// below the capacity; an id whose class was emptied by assign() may be used again. Constraints
/// must not rely on the k of the search.
class Constraint {
 public:
  virtual ~Constraint() = default;

  /// Forgets everything and makes room for the classes 0 .. capacity-1, all empty.
  virtual void begin(ClassId capacity) = 0;

  /// True if these records may form a class. The group is not empty and need not be a known class.
  virtual bool allows(const RecordSpan& members) const = 0;

  /// True if the class may change so. The class is known and is not emptied by the change.
  virtual bool allows(const Change& change) const = 0;

  /// The class changes so: a change that was allowed, or one that takes an earlier one back.
  virtual void apply(const Change& change) = 0;

  /// The class now consists of these records; none frees the id.
  virtual void assign(ClassId id, const RecordSpan& members) = 0;
};

}  // namespace anonkit
