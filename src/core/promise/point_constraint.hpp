#pragma once

#include <optional>
#include <vector>

#include "partition/partition.hpp"
#include "promise/constraint.hpp"
#include "promise/promised.hpp"

namespace anonkit {

/// A constraint on records, for classes of points that represent them: a class of points is allowed
/// if the class of their records is. State: that of the constraint, and the records of each class.
/// A change of points of one record costs what the constraint takes; any other costs as much as a
/// list of the class's records.
class PointConstraint final : public Constraint {
 public:
  /// `of_points`: the records of each point. Both belong to the caller.
  PointConstraint(Constraint& of_records, const Members& of_points)
      : of_records_(of_records), of_points_(of_points) {}

  void begin(ClassId capacity) override;
  bool allows(const RecordSpan& members) const override;
  bool allows(const Change& change) const override;
  void apply(const Change& change) override;
  void assign(ClassId id, const RecordSpan& members) override;

 private:
  RecordSpan records_of(Record point) const;
  std::optional<Change> of_single_records(const Change& change) const;
  void list(const RecordSpan& points) const;
  void list_after(const Change& change) const;

  Constraint& of_records_;
  const Members& of_points_;
  std::vector<std::vector<Record>> classes_;  ///< their records
  mutable std::vector<Record> listed_;
};

/// The constraints, for classes of points.
Constraints on_points(const std::vector<Constraint*>& of_records, const Members& of_points);

}  // namespace anonkit
