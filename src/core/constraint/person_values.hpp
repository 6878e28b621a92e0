#pragma once

// Constraints on one sensitive attribute of a table in which a person may have several records.
//
// State: the persons of the records of every class, with their values, O(n) in all. An evaluation
// costs O(s log s) for a class of s records, and O(1) if one fact leaves and an equal one enters.
// Invariant: every count and share refers to persons. See constraint.hpp for the protocol.
//
//   PersonCloseness closeness(attribute, units);  // units[i]: the person of record i
//   closeness.begin(1);
//   if (closeness.allows(members)) closeness.assign(0, members);

#include <memory>
#include <vector>

#include "constraint/constraint.hpp"
#include "constraint/sorted_values.hpp"
#include "sensitive/person_emd.hpp"

namespace anonkit {

/// The common part: it maintains the facts of every class and asks holds() about a changed one.
class PersonValues : public Constraint {
 public:
  void begin(ClassId capacity) override;
  bool allows(const RecordSpan& members) const override;
  bool allows(const Change& change) const override;
  void apply(const Change& change) override;
  void assign(ClassId id, const RecordSpan& members) override;

 protected:
  /// By record: the rank of its value among the distinct values, and its person.
  PersonValues(const std::vector<std::int32_t>& ranks, const std::vector<std::int32_t>& units);

 private:
  /// True if the model holds for a class of these facts; there is at least one.
  virtual bool holds(const PersonFacts& facts) const = 0;

  void sort_facts(const RecordSpan& members, PersonFacts* facts) const;
  void change_facts(const Change& change, PersonFacts* facts) const;

  PersonFacts fact_of_;               ///< by record
  std::vector<PersonFacts> classes_;  ///< by class
  mutable PersonFacts scratch_;
};

/// l-diversity of persons: in every class l distinct values, and for each value l - 1 persons
/// without it. Where each person has one value, the values imply the persons. Else all persons may
/// share a value, however many others they have. Not monotone where classes share persons: a person
/// without a value in one class may have it in the other.
class PersonDiversity : public PersonValues {
 public:
  PersonDiversity(const std::vector<std::int32_t>& ranks, const std::vector<std::int32_t>& units,
                  std::int32_t l);

 private:
  bool holds(const PersonFacts& facts) const final;
  /// True if another model holds, too, for a class with these values: one for each person who has
  /// it.
  virtual bool holds(const PersonFacts& /*facts*/, const SortedValues::Values& /*values*/,
                     std::int32_t /*persons*/) const {
    return true;
  }

  std::int32_t l_;
  mutable SortedValues::Values values_;
};

/// A model of the frequencies of values, applied to persons: a person counts once for each of their
/// values in the class.
class PersonFrequencies final : public PersonDiversity {
 public:
  PersonFrequencies(const std::vector<std::int32_t>& ranks, const std::vector<std::int32_t>& units,
                    std::unique_ptr<const SortedValues> model, std::int32_t l);

 private:
  bool holds(const PersonFacts& /*facts*/, const SortedValues::Values& values,
             std::int32_t persons) const override {
    return model_->holds(values, persons);
  }

  std::unique_ptr<const SortedValues> model_;
};

/// Entropy l-diversity of persons: each person weighs 1, divided among their records of the class.
class PersonEntropy final : public PersonDiversity {
 public:
  /// Throws invalid_parameter unless l >= 1.
  PersonEntropy(const std::vector<std::int32_t>& ranks, const std::vector<std::int32_t>& units,
                double l);

 private:
  bool holds(const PersonFacts& facts, const SortedValues::Values& values,
             std::int32_t persons) const override;

  double least_;
  mutable PersonEmd::Weights weights_;
};

/// (k,e)-anonymity of persons: in every class the numbers of two persons are at least e apart.
class PersonRange final : public PersonValues {
 public:
  /// See ValueRange. Throws invalid_parameter unless e > 0.
  PersonRange(const std::vector<std::int32_t>& ranks, const std::vector<std::int32_t>& units,
              std::vector<double> numbers, double e);

 private:
  bool holds(const PersonFacts& facts) const override;

  std::vector<double> numbers_;
  double e_;
};

/// t-closeness of persons: each person weighs 1, and in every class the distribution is within t of
/// that of the table; see PersonEmd. Not monotone: the union of two t-close classes may violate t.
class PersonCloseness final : public PersonValues {
 public:
  PersonCloseness(const SensitiveAttribute& attribute, const std::vector<std::int32_t>& units);

 private:
  bool holds(const PersonFacts& facts) const override { return emd_.within(facts); }

  PersonEmd emd_;
};

}  // namespace anonkit
