#pragma once

#include "base/ticker.hpp"
#include "method/full_domain/full_domain.hpp"
#include "method/full_domain/full_domain_search.hpp"

namespace anonkit {

/// Incognito (LeFevre, DeWitt, Ramakrishnan: Incognito: efficient full-domain k-anonymity. SIGMOD
/// 2005). It evaluates a node only if its projections on all smaller attribute sets are feasible
/// (a-priori property) and none of its specialisations is (generalisation property). The result
/// equals that of MinGen: the feasible node of least cost by the metric, and all minimal nodes. A
/// node whose cost without suppression is no less than the best so far is skipped.
///
/// Exact for every model. If a model is not monotone (see NodeConstraint), both properties apply to
/// its monotone part, and the remaining nodes are evaluated one by one. Throws invalid_parameter if
/// the lattice has more than kIncognitoNodes nodes, infeasible if no node is feasible.
Recoded incognito(const FullDomainProblem& problem, Ticker& ticker);

/// The minimal nodes alone, in lexicographic order.
std::vector<Levels> minimal_nodes(FullDomainSearch& search);

inline constexpr std::int64_t kIncognitoNodes = 10000000;

}  // namespace anonkit
