#pragma once

#include <vector>

#include "promise/constraint.hpp"

namespace anonkit {

/// No person has more than this share of the records of a class. State: a bound of the most records
/// of a person for each class, which stands when a record leaves. A change that keeps the share
/// even by the bound costs O(1), any other one O(class size).
class PersonShare final : public Constraint {
 public:
  /// `units`: by record its person.
  PersonShare(std::vector<std::int32_t> units, double most)
      : units_(std::move(units)), most_(most) {}

  void begin(ClassId capacity) override;
  bool allows(const RecordSpan& members) const override;
  bool allows(const Change& change) const override;
  void apply(const Change& change) override;
  void assign(ClassId id, const RecordSpan& members) override;

 private:
  bool within(Record of_person, Record size) const;
  /// The most of the listed records of one person.
  Record most_listed() const;

  std::vector<std::int32_t> units_;
  double most_;
  std::vector<Record> bounds_;  ///< by class
  mutable std::vector<std::int32_t> listed_;
};

}  // namespace anonkit
