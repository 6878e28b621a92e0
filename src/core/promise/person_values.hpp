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

/// A model of the frequencies of values, applied to persons: a person counts once for each of their
/// values in the class. A class has at least `least` persons, so that l values belong to l persons.
class PersonFrequencies final : public SortedMembers<PersonFact> {
 public:
  PersonFrequencies(PersonFacts facts, ClassModel model, std::int32_t least)
      : SortedMembers(std::move(facts)), model_(std::move(model)), least_(least) {}

 private:
  bool holds(const PersonFacts& facts) const override;

  ClassModel model_;
  std::int32_t least_;
  mutable Emd::Sorted values_;
  mutable std::vector<Emd::Run> runs_;
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
