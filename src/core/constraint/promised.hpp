#pragma once

#include <memory>
#include <vector>

#include "base/options.hpp"
#include "constraint/constraint.hpp"
#include "sensitive/sensitive_attribute.hpp"

namespace anonkit {

using Constraints = std::vector<std::unique_ptr<Constraint>>;

/// Where several records are one person's: by record whose it is, numbered from 0; empty if each is
/// somebody else's. And the k persons that a class has at least.
struct Persons {
  std::vector<std::int32_t> units = {};
  std::int32_t k = 1;
};

/// The constraints that keep every promise beside k, each for every sensitive attribute; the one
/// list of them; (k,e)-anonymity is about numbers, where there are any. Throws invalid_parameter
/// for a promise that is out of its range or does not fit an attribute.
///
/// With persons, the first constraint is k different units in a class, and p and l if they are
/// more; every promise counts persons. Not all of them are monotone then: where records of one
/// person meet in a united class, shares and distributions change. (k,p,q,r)-anonymity is refused.
Constraints promised_constraints(const std::vector<SensitiveAttribute>& attributes,
                                 const Promises& promises, const Persons& persons = {});

/// As the search takes them.
std::vector<Constraint*> pointers(const Constraints& constraints);

/// True if all of them allow such a class.
bool all_allow(const Constraints& constraints, const RecordSpan& members);

}  // namespace anonkit
