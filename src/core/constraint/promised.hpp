#pragma once

#include <memory>
#include <vector>

#include "base/options.hpp"
#include "constraint/constraint.hpp"
#include "sensitive/sensitive_attribute.hpp"

namespace anonkit {

using Constraints = std::vector<std::unique_ptr<Constraint>>;

/// Persons with several records: by record its person, numbered from 0, and k, the least number of
/// persons in a class. Empty if each record is a person of its own.
struct Persons {
  std::vector<std::int32_t> units = {};
  std::int32_t k = 1;
};

/// The constraints for all promises beside k, each for every sensitive attribute. No other code
/// lists them. (k,e)-anonymity applies to numbers, if there are any. Throws invalid_parameter for a
/// promise that is out of range or does not fit an attribute.
///
/// With persons, the first constraint demands k different units in a class, or p or l if these are
/// more; every promise counts persons. Then only k and e are monotone: where records of one person
/// meet in a united class, shares and distributions change, and fewer persons lack a value.
/// (k,p,q,r)-anonymity is refused.
Constraints promised_constraints(const std::vector<SensitiveAttribute>& attributes,
                                 const Promises& promises, const Persons& persons = {});

/// The constraints as the search expects them.
std::vector<Constraint*> pointers(const Constraints& constraints);

/// True if every constraint allows such a class.
bool all_allow(const Constraints& constraints, const RecordSpan& members);

}  // namespace anonkit
