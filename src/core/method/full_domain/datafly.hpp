#pragma once

#include "base/ticker.hpp"
#include "method/full_domain/full_domain.hpp"
#include "method/full_domain/full_domain_search.hpp"

namespace anonkit {

/// Datafly (Sweeney 2002, section 5.1). It generalises the attribute with the most distinct values,
/// ties to the first, by one level. It stops when classes that break a promise have at most the
/// allowed number of records. The limit is k records, as published, or the share `max_suppression`.
/// These records are suppressed. Greedy: the result need not be minimal. Throws infeasible if the
/// top of the lattice fails.
Recoded datafly(const FullDomainProblem& problem, Ticker& ticker);

/// Datafly's greedy choice: the next attribute to generalise, or the number of attributes if all
/// are at the top.
std::size_t most_distinct(FullDomainSearch& search, const Levels& levels, const Frequencies& table);

}  // namespace anonkit
