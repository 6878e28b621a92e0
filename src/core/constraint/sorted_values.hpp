#pragma once

#include <cstdint>
#include <vector>

#include "constraint/constraint.hpp"

namespace anonkit {

/// The common part of constraints on the frequencies of one sensitive attribute's values in a
/// class. State: the sorted values of every class, O(n) in all. An evaluation costs O(class size),
/// and O(1) if a value leaves and an equal one enters.
class SortedValues : public Constraint {
 public:
  /// The ranks of the values of a class, ascending.
  using Values = std::vector<std::int32_t>;

  void begin(ClassId capacity) override;
  bool allows(const RecordSpan& members) const override;
  bool allows(const Change& change) const override;
  void apply(const Change& change) override;
  void assign(ClassId id, const RecordSpan& members) override;

  /// True if the model holds for a class of `members` members with these values; there is at least
  /// one. A member is a record with one value, or a person with several.
  virtual bool holds(const Values& values, std::int32_t members) const = 0;

 protected:
  /// `ranks`: by record, the rank of its value among the distinct values, see SensitiveAttribute.
  explicit SortedValues(std::vector<std::int32_t> ranks) : ranks_(std::move(ranks)) {}

  const std::vector<std::int32_t>& ranks() const { return ranks_; }

 private:
  bool holds(const Values& values) const {
    return holds(values, static_cast<std::int32_t>(values.size()));
  }
  void sort_values(const RecordSpan& members, Values* values) const;
  std::int32_t rank(Record i) const {
    return i == kNone ? -1 : ranks_[static_cast<std::size_t>(i)];
  }

  std::vector<std::int32_t> ranks_;
  std::vector<Values> values_;  ///< by class
  mutable Values scratch_;
};

/// Calls f(rank, count) for each distinct value, ascending.
template <class Function>
void for_each_value(const SortedValues::Values& values, Function&& f) {
  for (std::size_t first = 0; first < values.size();) {
    std::size_t last = first + 1;
    while (last < values.size() && values[last] == values[first]) ++last;
    f(values[first], static_cast<std::int32_t>(last - first));
    first = last;
  }
}

}  // namespace anonkit
