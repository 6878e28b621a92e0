#pragma once

#include <vector>

#include "method/method.hpp"
#include "promise/promised.hpp"

namespace anonkit {

/// Throws infeasible if no classes can keep a promise; the error states the limit of the data.
/// Every model but (k,p,q,r)-anonymity is monotone: the union of two classes that satisfy it
/// satisfies it. Such a model is feasible if and only if one class of all records satisfies it, so
/// the answer is exact. Where persons have several records, only k, e, the number of distinct
/// values and dominance are monotone, and only they are checked. O(n log n).
void check_feasible(const Problem& problem, Ticker& ticker);

/// Partitions that keep all promises, from several sources. They are MDAV, round robin in the order
/// of the sensitive values, and the algorithms of the promised models, each repaired where it
/// breaks a promise. A search that tries every start gets all of them: every algorithm of a
/// promised model, the quadratic ones up to kQuadratic records. A fast search of a large table gets
/// the partition of least loss. It is spared MDAV if the promises reject most of its classes, and
/// algorithms that choose class members by their values if MDAV's classes need little repair.
/// Throws infeasible without any, which can only happen if (k,p,q,r)-anonymity is promised.
std::vector<Partition> feasible_starts(const Problem& problem, const Constraints& constraints,
                                       Effort effort, Ticker& ticker);

/// Unites classes that keep all promises for records until they keep them for persons. Throws
/// infeasible if one class of all records does not.
Classification united_for_persons(const Problem& problem, Classification formed, Ticker& ticker);

/// Classes that keep all promises: the search improves the feasible starts.
Classification form_constrained(const Problem& problem, Effort effort, Ticker& ticker);

}  // namespace anonkit
