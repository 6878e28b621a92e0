#pragma once

#include "base/ticker.hpp"
#include "method/full_domain/full_domain.hpp"
#include "method/full_domain/search.hpp"

namespace anonkit {

/// Datafly (Sweeney 2002, section 5.1): the attribute that has the most distinct values is
/// generalised by one level, the first of several, until the records in classes that break a
/// promise are no more than may be suppressed: k of them, as published, or what `max_suppression`
/// allows. These are suppressed. Greedy: no answer is promised to be minimal. Throws infeasible if
/// not even the top of the lattice will do.
Recoded datafly(const FullDomainProblem& problem, Ticker& ticker);

/// Its greedy choice: the attribute to generalise next; the number of attributes if all are at the
/// top.
std::size_t most_distinct(FullDomainSearch& search, const Levels& levels, const Frequencies& table);

}  // namespace anonkit
