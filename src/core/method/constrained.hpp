#pragma once

#include <vector>

#include "constraint/promised.hpp"
#include "method/method.hpp"

namespace anonkit {

/// Throws infeasible, which says what the data allow, if a promise cannot be kept by any classes.
/// All models but (k,p,q,r)-anonymity hold for one class of all records if they hold for any
/// classes at all (they are monotone: a class united from two that satisfy one of them satisfies
/// it), so of them the answer is exact. Where persons have several records that is so of p, l and e
/// alone, and the others are not looked at. O(n log n).
void check_feasible(const Problem& problem, Ticker& ticker);

/// Partitions that keep all promises, from several sources: MDAV, the records dealt out in the
/// order of their sensitive values, and the algorithms made for the models that are promised, each
/// repaired where it breaks a promise. Of large tables only the one of least loss. Throws
/// infeasible if there is none, which cannot happen unless (k,p,q,r)-anonymity is promised.
std::vector<Partition> feasible_starts(const Problem& problem, const Constraints& constraints,
                                       Ticker& ticker);

/// Classes that keep all promises to persons, made of classes that keep them to records, by
/// uniting. Throws infeasible if not even one class of all does.
Classification united_for_persons(const Problem& problem, Classification formed, Ticker& ticker);

/// Classes that keep all promises, improved by the search from those starts.
Classification form_constrained(const Problem& problem, Effort effort, Ticker& ticker);

}  // namespace anonkit
