#pragma once

// Constraints on one sensitive attribute of a table in which a person may have several records.
//
// State: the persons of the records of every class, with their values; see SortedMembers. An
// evaluation costs O(s log s) for a class of s records. Invariant: every count and share refers to
// persons. See constraint.hpp for the protocol.
//
//   PersonCloseness closeness(attribute, units);  // units[i]: the person of record i
//   closeness.begin(1);
//   if (closeness.allows(members)) closeness.assign(0, members);

#include <utility>
#include <vector>

#include "promise/class_model.hpp"
#include "promise/sorted_members.hpp"
#include "sensitive/person_emd.hpp"

namespace anonkit {

/// By record, its person and the rank of its value among the distinct values.
PersonFacts facts_of(const std::vector<std::int32_t>& ranks,
                     const std::vector<std::int32_t>& units);

/// l-diversity of persons: in every class l distinct values, and for each value l - 1 persons
/// without it. Where each person has one value, the values imply the persons. Else all persons may
/// share a value, however many others they have. Not monotone where classes share persons: a person
/// without a value in one class may have it in the other.
class PersonDiversity : public SortedMembers<PersonFact> {
 public:
  PersonDiversity(PersonFacts facts, std::int32_t l) : SortedMembers(std::move(facts)), l_(l) {}

 private:
  bool holds(const PersonFacts& facts) const final;
  /// True if another model holds, too, for a class with these values: one for each person who has
  /// it.
  virtual bool holds(const PersonFacts& /*facts*/, const Emd::Runs& /*runs*/,
                     std::int32_t /*persons*/) const {
    return true;
  }

  std::int32_t l_;
  mutable Emd::Sorted values_;
  mutable std::vector<Emd::Run> runs_;
};

/// A model of the frequencies of values, applied to persons: a person counts once for each of their
/// values in the class.
class PersonFrequencies final : public PersonDiversity {
 public:
  PersonFrequencies(PersonFacts facts, ClassModel model, std::int32_t l)
      : PersonDiversity(std::move(facts), l), model_(std::move(model)) {}

 private:
  bool holds(const PersonFacts& /*facts*/, const Emd::Runs& runs,
             std::int32_t persons) const override {
    return model_(runs, persons);
  }

  ClassModel model_;
};

/// Entropy l-diversity of persons: each person weighs 1, divided among their records of the class.
class PersonEntropy final : public PersonDiversity {
 public:
  /// `least`: the least entropy of a class, with the margin of its rounding.
  PersonEntropy(PersonFacts facts, std::int32_t l, double least)
      : PersonDiversity(std::move(facts), l), least_(least) {}

 private:
  bool holds(const PersonFacts& facts, const Emd::Runs& runs, std::int32_t persons) const override;

  double least_;
  mutable PersonEmd::Weights weights_;
};

/// (k,e)-anonymity of persons: in every class the numbers of two persons are at least e apart.
class PersonRange final : public SortedMembers<PersonFact> {
 public:
  /// `numbers`: see SensitiveAttribute.
  PersonRange(PersonFacts facts, std::vector<double> numbers, double e)
      : SortedMembers(std::move(facts)), numbers_(std::move(numbers)), e_(e) {}

 private:
  bool holds(const PersonFacts& facts) const override;

  std::vector<double> numbers_;
  double e_;
};

/// t-closeness of persons: each person weighs 1, and in every class the distribution is within t of
/// that of the table; see PersonEmd. Not monotone: the union of two t-close classes may violate t.
class PersonCloseness final : public SortedMembers<PersonFact> {
 public:
  PersonCloseness(const SensitiveAttribute& attribute, const std::vector<std::int32_t>& units)
      : SortedMembers(facts_of(attribute.ranks, units)), emd_(attribute, units) {}

 private:
  bool holds(const PersonFacts& facts) const override { return emd_.within(facts); }

  PersonEmd emd_;
};

}  // namespace anonkit
