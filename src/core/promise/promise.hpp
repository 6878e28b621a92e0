#pragma once

// The table of the privacy models that can be promised beside k: one row and one source file each.
//
// A row declares everything that methods, searches, bounds and the written form of options ask of a
// model: they list no models and no parameters. The struct Promises holds the values.
// Invariants: a parameter belongs to one row, and the constraints of later rows cost more. The
// judges (model/) share nothing with a row but names and the tolerance. The table is static and
// allocates no memory.
//
//   for (const Promise* promise : kPromiseTable)
//     if (promise->is_made(options.promises)) names.push_back(promise->name);

#include <cstdint>
#include <vector>

#include "base/options.hpp"
#include "base/record.hpp"
#include "promise/class_model.hpp"
#include "promise/constraint.hpp"
#include "sensitive/sensitive_attribute.hpp"

namespace anonkit {

/// The values that a parameter may have.
enum class ParameterDomain : std::uint8_t {
  positive_integer,
  at_least_one,
  positive,
  above_0_to_1,
  from_0_to_1,
  each_above_0_to_1,  ///< one number for each sensitive attribute
  variance_of,        ///< a name of a VarianceOf
  bounds,             ///< two numbers from 0 to 1, the second above 0 and not below the first
};

/// A parameter of a model.
struct Parameter {
  const char* key = nullptr;  ///< in SQL and in the written form
  ParameterDomain domain = ParameterDomain::positive;
  std::int32_t Promises::*integer = nullptr;
  double Promises::*number = nullptr;
  const double* Promises::*numbers = nullptr;
  double Promises::*least = nullptr;  ///< of bounds, the lower one; `number` is the upper one

  /// Its value; 0 if it is not given, or is not a single number.
  double value(const Promises& promises) const;
};

/// A level that judges measure for a promise.
struct JudgedLevel {
  const char* model = nullptr;  ///< as audits print it
  /// The level promised of the sensitive attribute of that number; 0: none.
  double (*promised)(const Promises&, std::size_t attribute) = nullptr;
  const char* adjective = nullptr;  ///< of a release that keeps it, with %g for the level
};

/// The promises that a method can keep beside k-anonymity, as bits.
enum PromiseSet : unsigned {
  kPromiseNone = 0,
  kPromiseT = 1,        ///< t-closeness
  kPromiseP = 2,        ///< p-sensitivity, also extended
  kPromiseKpqr = 4,     ///< (k,p,q,r)-anonymity
  kPromiseDiverse = 8,  ///< l-diversity of all kinds, (alpha,k), (k,e)
  kPromiseClasswise =
      kPromiseT | kPromiseP | kPromiseDiverse,  ///< the promises of full-domain searches
  kPromiseNt = 16,         ///< (n,t)-closeness, by parts; see natural_supersets.hpp
  kPromisePersons = 32,    ///< k and all other promises for persons with several records; dominance
  kPromiseHistories = 64,  ///< k-anonymity of histories: forms classes of persons as of records
  /// Transparency: classes by quasi-identifiers alone, without promises on values.
  kPromiseTransparent = 128,
  kPromiseLikeness = 256,     ///< limits on the growth of shares: beta-likeness, delta-disclosure
  kPromiseRisk = 512,         ///< limits on the risk of all records together
  kPromiseAll = 1023,         ///< all promises about one relation
  kPromisePopulation = 1024,  ///< k-map and delta-presence, against a population
};

/// The property of a class's values that decides a model.
enum class MeasuredBy : std::uint8_t { distinct_values, frequencies, numbers };

/// The need for an order of the values, in which nulls have no place.
enum class ValueOrder : std::uint8_t { none, or_hierarchy, always };

/// Limits on the counts of a class's values, for every sensitive attribute.
struct ValueLimits {
  double share = 1;           ///< of the class, of records with the same value, at most
  std::int32_t distinct = 1;  ///< values, at least
};

/// Conditions on every class that follow from its closeness to a table.
struct ImpliedByTable {
  std::int32_t values = 1;  ///< at least so many distinct ones
  Record records = 1;       ///< at least so many
};

/// A privacy model that can be promised of every class.
struct Promise {
  const char* name = nullptr;  ///< as audits and errors print it
  PromiseSet kind = kPromiseDiverse;
  Parameter parameters[3] = {};  ///< unused ones have no key
  JudgedLevel levels[3] = {};    ///< unused ones have no model
  bool (*is_made)(const Promises&) = nullptr;
  /// The parameter that is missing beside another one, in words such as "l beside c", or null.
  const char* (*lacks)(const Promises&) = nullptr;

  MeasuredBy measured_by = MeasuredBy::frequencies;
  ValueOrder order = ValueOrder::none;
  bool monotone = true;  ///< the union of two classes of records that keep it keeps it
  /// A class that keeps it keeps it with any further record. If it holds for persons, it holds for
  /// their rows.
  bool upward_closed = false;
  bool relative = false;                  ///< compares classes with a table
  bool lifted = false;                    ///< values below a protected label count as one
  bool of_persons = true;                 ///< can be promised of persons with several records
  bool each_level = false;                ///< every sensitive attribute has a level of its own
  const char* not_transparent = nullptr;  ///< the reason against transparent releases; null: none

  /// The least number of distinct values of a class. Null: the model implies none.
  double (*implied_values)(const Promises&) = nullptr;
  /// Limits that suffice to keep the promise, or null; and whether they are the promise.
  ValueLimits (*limits)(const Promises&) = nullptr;
  bool limits_are_exact = false;
  ImpliedByTable (*implied_by_table)(const SensitiveAttribute&) = nullptr;  ///< or null
  /// The largest share of a class that a value with that share of the table may have, above 0; 1
  /// and above is no limit. Null: the model limits no share by the table's.
  double (*largest_share)(double share, const SensitiveAttribute&, const Promises&) = nullptr;

  /// The condition on classes: empty for an attribute that the model does not concern, and null if
  /// `constrain` is the only form.
  ClassModel (*model)(const SensitiveAttribute&, const Promises&) = nullptr;
  /// The condition on the numbers of a class's records by person, of a promise that is about
  /// persons and not about values. It needs a unit. Null for all others.
  ClassModel (*person_model)(const Promises&) = nullptr;
  /// True if the promise is about all classes together, and about no values. It has neither model
  /// nor constraint: see repair/risk_merging.hpp.
  bool of_release = false;
  /// True if the promise compares the numbers of a class's records in the release and in a
  /// population, and is about no values. Its condition is PopulationLimits.
  bool of_population = false;
  /// Adds the constraints for all attributes; `units` as in Persons. Null: those of `model`, or a
  /// count of distinct values.
  void (*constrain)(const std::vector<SensitiveAttribute>& attributes, const Promises& promises,
                    const std::vector<std::int32_t>& units, Constraints* added) = nullptr;
};

extern const Promise kPSensitivity, kDistinctDiversity, kEntropyDiversity, kRecursiveDiversity,
    kAlphaKAnonymity, kKEAnonymity, kKpqrAnonymity, kBetaLikeness, kDeltaDisclosure, kTCloseness,
    kNTCloseness, kDominance, kMeanRisk, kRecordsAtRisk, kKMap, kDeltaPresence;

/// All rows.
constexpr const Promise* kPromiseTable[] = {
    &kPSensitivity,       &kDistinctDiversity, &kEntropyDiversity,
    &kRecursiveDiversity, &kAlphaKAnonymity,   &kKEAnonymity,
    &kKpqrAnonymity,      &kBetaLikeness,      &kDeltaDisclosure,
    &kTCloseness,         &kNTCloseness,       &kDominance,
    &kMeanRisk,           &kRecordsAtRisk,     &kKMap,
    &kDeltaPresence,
};

/// The first promise that is made and of which `matches` is true, or null.
template <class Matches>
const Promise* find_made(const Promises& promises, const Matches& matches) {
  for (const Promise* promise : kPromiseTable)
    if (promise->is_made(promises) && matches(*promise)) return promise;
  return nullptr;
}

/// The kinds of the promises made, as a sum of PromiseSet.
unsigned kinds_of(const Promises& promises);

/// A choice of rows.
using RowChoice = bool (*)(const Promise&);
inline bool all_rows(const Promise&) {
  return true;
}
inline bool upward_closed_rows(const Promise& promise) {
  return promise.upward_closed;
}
/// The promises that are about persons, and not about values.
inline bool rows_of_persons(const Promise& promise) {
  return promise.person_model != nullptr;
}
/// The promises that are about all classes together.
inline bool rows_of_release(const Promise& promise) {
  return promise.of_release;
}
/// The promises that compare a release with a population.
inline bool rows_of_population(const Promise& promise) {
  return promise.of_population;
}
/// The promises that are not about values, which methods that must not see values keep, too.
inline bool rows_without_values(const Promise& promise) {
  return rows_of_persons(promise) || rows_of_release(promise) || rows_of_population(promise);
}
/// The promises that compare classes with a table.
inline bool relative_rows(const Promise& promise) {
  return promise.relative;
}
/// The promises that are about one class after another: of two classes that keep one, the union
/// does, too, whatever other records there are.
inline bool rows_of_classes(const Promise& promise) {
  return promise.monotone && !promise.relative && !promise.of_release && !promise.of_population;
}
inline bool lifted_rows(const Promise& promise) {
  return promise.lifted;
}
inline bool unlifted_rows(const Promise& promise) {
  return !promise.lifted;
}

/// The promises of these rows alone.
Promises only(Promises promises, RowChoice rows);

/// A number of values that a promise implies, rounded up to a number of members.
std::int32_t least_members(double implied_values);

/// The least number of distinct values of a class that the promises made of these rows imply. As
/// many members have them.
std::int32_t least_values(const Promises& promises, RowChoice rows = all_rows);

/// Limits that suffice to keep the promises made of these rows, as far as they have limits.
ValueLimits limits_of(const Promises& promises, RowChoice rows = all_rows);

/// Throws invalid_parameter for a parameter that is out of its domain or lacks another one.
void check_parameters(const Promises& promises);

}  // namespace anonkit
