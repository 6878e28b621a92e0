#pragma once

#include "base/ticker.hpp"
#include "method/full_domain/full_domain.hpp"

namespace anonkit {

/// MinGen at the level of attributes (Sweeney 2002, section 4.4): evaluates every node of the
/// lattice. It publishes the feasible node of least cost by the metric, the first in lexicographic
/// order. Finds all minimal nodes: those that are feasible without a feasible specialisation.
/// Without pruning, it is the reference of the other searches. Time O(nodes x classes). Throws
/// invalid_parameter if the lattice has more than kMinGenNodes nodes, infeasible if no node is
/// feasible.
Recoded mingen(const FullDomainProblem& problem, Ticker& ticker);

/// The figures of every node of the lattice, or of its minimal ones, in lexicographic order. Throws
/// like mingen, but never infeasible.
std::vector<NodeFigures> list_nodes(const FullDomainProblem& problem, bool minimal_only,
                                    Ticker& ticker);

inline constexpr std::int64_t kMinGenNodes = 100000;

}  // namespace anonkit
