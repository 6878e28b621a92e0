#pragma once

#include <memory>
#include <vector>

#include "constraint/constraint.hpp"
#include "constraint/sorted_values.hpp"
#include "sensitive/person_emd.hpp"

namespace anonkit {

/// What constraints have in common that look at one sensitive attribute where several records are
/// one person's: of every class whose its records are and their values, O(n) in all. A question
/// costs O(s log s) for a class of s records, and nothing if what leaves also enters.
class PersonValues : public Constraint {
 public:
  void begin(ClassId capacity) override;
  bool allows(const RecordSpan& members) const override;
  bool allows(const Change& change) const override;
  void apply(const Change& change) override;
  void assign(ClassId id, const RecordSpan& members) override;

 protected:
  /// By record the place of its value among the distinct values, and whose it is.
  PersonValues(const std::vector<std::int32_t>& ranks, const std::vector<std::int32_t>& units);

 private:
  /// True if the model holds for a class of these records, of which there is at least one.
  virtual bool holds(const PersonFacts& facts) const = 0;

  void sort_facts(const RecordSpan& members, PersonFacts* facts) const;
  void change_facts(const Change& change, PersonFacts* facts) const;

  PersonFacts fact_of_;               ///< by record
  std::vector<PersonFacts> classes_;  ///< by class
  mutable PersonFacts scratch_;
};

/// A model of how often values occur, of persons: a person counts once for each value that they
/// have in the class. A class has `least` persons at least, so that l values are of l persons.
class PersonDiversity final : public PersonValues {
 public:
  PersonDiversity(const std::vector<std::int32_t>& ranks, const std::vector<std::int32_t>& units,
                  std::unique_ptr<const SortedValues> model, std::int32_t least);

 private:
  bool holds(const PersonFacts& facts) const override;

  std::unique_ptr<const SortedValues> model_;
  std::int32_t least_;
  mutable SortedValues::Values values_;
};

/// (k,e)-anonymity of persons: in every class two persons have numbers that are e apart.
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

/// t-closeness of persons: in every class the distribution in which each person weighs 1 is within
/// t of that of the table; see PersonEmd. Not monotone: classes that keep it may not when united.
class PersonCloseness final : public PersonValues {
 public:
  PersonCloseness(const SensitiveAttribute& attribute, const std::vector<std::int32_t>& units);

 private:
  bool holds(const PersonFacts& facts) const override { return emd_.within(facts); }

  PersonEmd emd_;
};

}  // namespace anonkit
