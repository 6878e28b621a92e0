#pragma once

#include <vector>

#include "base/options.hpp"
#include "metric/bound/implied_constraints.hpp"
#include "promise/promise.hpp"
#include "sensitive/sensitive_attribute.hpp"

namespace anonkit {

/// Persons with several records: by record its person, numbered from 0, and k, the least number of
/// persons in a class. Empty if each record is a person of its own.
struct Persons {
  std::vector<std::int32_t> units = {};
  std::int32_t k = 1;
};

/// The constraints for all promises about single classes beside k, each for every sensitive
/// attribute that it concerns. Throws invalid_parameter for a promise that is out of range or does
/// not fit an attribute.
///
/// With persons, the first constraint demands k different units in a class, or as many as the
/// promises imply values; every promise counts persons. Then only k, e, the number of distinct
/// values and dominance are monotone: where records of one person meet in a united class, shares
/// and distributions change, and fewer persons lack a value.
Constraints promised_constraints(const std::vector<SensitiveAttribute>& attributes,
                                 const Promises& promises, const Persons& persons = {});

/// The constraints for one promise, as among those of all.
Constraints constraints_for(const Promise& promise,
                            const std::vector<SensitiveAttribute>& attributes,
                            const Promises& promises, const std::vector<std::int32_t>& units);

/// Throws invalid_parameter if a promise is about numbers and no attribute has any.
void require_numbers(const std::vector<SensitiveAttribute>& attributes, const Promises& promises);

/// The conditions that k and the promises imply for every class of these records: numbers of
/// distinct values, and of records. (k,e)-anonymity and (k,p,q,r)-anonymity imply none.
/// O(n log n); for t-closeness see table_distance.hpp.
ImpliedConstraints implied_constraints(Record k, const std::vector<SensitiveAttribute>& attributes,
                                       const Promises& promises);

/// The constraints as the search expects them.
std::vector<Constraint*> pointers(const Constraints& constraints);

/// True if every constraint allows such a class.
bool all_allow(const Constraints& constraints, const RecordSpan& members);

}  // namespace anonkit
