#pragma once

#include <memory>
#include <vector>

#include "base/options.hpp"
#include "constraint/constraint.hpp"
#include "sensitive/sensitive_attribute.hpp"

namespace anonkit {

using Constraints = std::vector<std::unique_ptr<Constraint>>;

/// The constraints that keep every promise beside k, each for every sensitive attribute; the one
/// list of them; (k,e)-anonymity is about numbers, where there are any. Throws invalid_parameter
/// for a promise that is out of its range or does not fit an attribute.
Constraints promised_constraints(const std::vector<SensitiveAttribute>& attributes,
                                 const Promises& promises);

/// As the search takes them.
std::vector<Constraint*> pointers(const Constraints& constraints);

/// True if all of them allow such a class.
bool all_allow(const Constraints& constraints, const RecordSpan& members);

}  // namespace anonkit
