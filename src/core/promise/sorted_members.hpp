#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "base/at.hpp"
#include "promise/class_model.hpp"
#include "promise/constraint.hpp"

namespace anonkit {

/// The common part of constraints on the values of the members of a class. State: the sorted values
/// of every class, O(n) in all. An evaluation costs O(class size) beside that of holds(), and O(1)
/// if a value leaves and an equal one enters.
template <class Value>
class SortedMembers : public Constraint {
 public:
  void begin(ClassId capacity) final { classes_.assign(at(capacity), {}); }
  bool allows(const RecordSpan& members) const final {
    sort(members, &scratch_);
    return holds(scratch_);
  }
  bool allows(const Change& change) const final {
    if (change.out != kNone && change.in != kNone &&
        values_[at(change.out)] == values_[at(change.in)])
      return true;
    scratch_ = classes_[at(change.id)];
    exchange(change, &scratch_);
    return holds(scratch_);
  }
  void apply(const Change& change) final { exchange(change, &classes_[at(change.id)]); }
  void assign(ClassId id, const RecordSpan& members) final { sort(members, &classes_[at(id)]); }

 protected:
  /// `values`: by record.
  explicit SortedMembers(std::vector<Value> values) : values_(std::move(values)) {}

 private:
  /// True if a class of these values, ascending, may exist; there is at least one.
  virtual bool holds(const std::vector<Value>& values) const = 0;

  void sort(const RecordSpan& members, std::vector<Value>* values) const {
    values->clear();
    for (const Record i : members) values->push_back(values_[at(i)]);
    std::sort(values->begin(), values->end());
  }
  void exchange(const Change& change, std::vector<Value>* values) const {
    const auto place = [&](Record i) {
      return std::lower_bound(values->begin(), values->end(), values_[at(i)]);
    };
    if (change.out != kNone) values->erase(place(change.out));
    if (change.in != kNone) values->insert(place(change.in), values_[at(change.in)]);
  }

  std::vector<Value> values_;                ///< by record
  std::vector<std::vector<Value>> classes_;  ///< by class
  mutable std::vector<Value> scratch_;
};

/// A model of the frequencies of one sensitive attribute's values in a class.
class ValueFrequencies final : public SortedMembers<std::int32_t> {
 public:
  /// `ranks`: by record, see SensitiveAttribute.
  ValueFrequencies(std::vector<std::int32_t> ranks, ClassModel model)
      : SortedMembers(std::move(ranks)), model_(std::move(model)) {}

 private:
  bool holds(const Emd::Sorted& values) const override {
    return model_(count_runs(values, &runs_), static_cast<std::int32_t>(values.size()));
  }

  ClassModel model_;
  mutable std::vector<Emd::Run> runs_;
};

}  // namespace anonkit
