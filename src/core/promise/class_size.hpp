#pragma once

#include "promise/constraint.hpp"

namespace anonkit {

/// k-anonymity with an upper limit: every class has least .. most records. Stateless, O(1). Throws
/// invalid_parameter unless 1 <= least <= most.
class ClassSize final : public Constraint {
 public:
  ClassSize(Record least, Record most);

  void begin(ClassId) override {}
  bool allows(const RecordSpan& members) const override { return within(members.size()); }
  bool allows(const Change& change) const override { return within(change.size_after()); }
  void apply(const Change&) override {}
  void assign(ClassId, const RecordSpan&) override {}

 private:
  bool within(Record size) const { return least_ <= size && size <= most_; }

  Record least_;
  Record most_;
};

}  // namespace anonkit
