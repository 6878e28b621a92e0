#pragma once

#include "base/ticker.hpp"
#include "method/full_domain/full_domain.hpp"

namespace anonkit {

/// MinGen at the level of attributes (Sweeney 2002, section 4.4): every node of the lattice is
/// looked at; of those that keep the promises the one of the least cost by the metric is
/// published, the first in lexicographic order of several. Finds all minimal nodes: those that are
/// feasible while none of their specialisations is. Prunes nothing: it is what the other searches
/// are measured by. Time O(nodes x classes).
/// Throws invalid_parameter if the lattice has more than kMinGenNodes nodes, infeasible if no node
/// will do.
Recoded mingen(const FullDomainProblem& problem, Ticker& ticker);

/// Every node of the lattice, or its minimal ones, in lexicographic order, with what each would
/// publish. Throws like mingen, but for infeasible.
std::vector<NodeFigures> list_nodes(const FullDomainProblem& problem, bool minimal_only,
                                    Ticker& ticker);

inline constexpr std::int64_t kMinGenNodes = 100000;

}  // namespace anonkit
