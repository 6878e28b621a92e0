#include "promise/point_constraint.hpp"

#include <algorithm>

#include "base/at.hpp"

namespace anonkit {

void PointConstraint::begin(ClassId capacity) {
  of_records_.begin(capacity);
  classes_.assign(at(capacity), {});
}

bool PointConstraint::allows(const RecordSpan& members) const {
  list(members);
  return of_records_.allows(RecordSpan(listed_));
}

bool PointConstraint::allows(const Change& change) const {
  if (const std::optional<Change> single = of_single_records(change))
    return of_records_.allows(*single);
  list_after(change);
  return of_records_.allows(RecordSpan(listed_));
}

void PointConstraint::apply(const Change& change) {
  std::vector<Record>& records = classes_[at(change.id)];
  if (const std::optional<Change> single = of_single_records(change)) {
    of_records_.apply(*single);
    if (single->out != kNone) {
      std::swap(*std::find(records.begin(), records.end(), single->out), records.back());
      records.pop_back();
    }
    if (single->in != kNone) records.push_back(single->in);
    return;
  }
  list_after(change);
  of_records_.assign(change.id, RecordSpan(listed_));
  records.assign(listed_.begin(), listed_.end());
}

void PointConstraint::assign(ClassId id, const RecordSpan& members) {
  list(members);
  of_records_.assign(id, RecordSpan(listed_));
  classes_[at(id)].assign(listed_.begin(), listed_.end());
}

RecordSpan PointConstraint::records_of(Record point) const {
  if (point == kNone) return {};
  return of_points_.of(at(point));
}

/// The change of records, if no point of it has several.
std::optional<Change> PointConstraint::of_single_records(const Change& change) const {
  const RecordSpan out = records_of(change.out), in = records_of(change.in);
  if (out.size() > 1 || in.size() > 1) return {};
  return Change{change.id, RecordSpan(classes_[at(change.id)]),
                out.size() > 0 ? *out.begin() : kNone, in.size() > 0 ? *in.begin() : kNone};
}

void PointConstraint::list(const RecordSpan& points) const {
  listed_.clear();
  for (const Record point : points) {
    const RecordSpan records = records_of(point);
    listed_.insert(listed_.end(), records.begin(), records.end());
  }
}

void PointConstraint::list_after(const Change& change) const {
  listed_.clear();
  for_each_after(change, [&](Record point) {
    const RecordSpan records = records_of(point);
    listed_.insert(listed_.end(), records.begin(), records.end());
  });
}

Constraints on_points(const std::vector<Constraint*>& of_records, const Members& of_points) {
  Constraints constraints;
  for (Constraint* constraint : of_records)
    constraints.push_back(std::make_unique<PointConstraint>(*constraint, of_points));
  return constraints;
}

}  // namespace anonkit
