#pragma once

#include "base/ticker.hpp"
#include "method/full_domain/full_domain.hpp"
#include "method/full_domain/search.hpp"

namespace anonkit {

/// Incognito (LeFevre, DeWitt, Ramakrishnan: Incognito: efficient full-domain k-anonymity. SIGMOD
/// 2005): a node is looked at only if its projections on all smaller sets of attributes are
/// feasible (the a-priori property) and no specialisation of it is (the generalisation property).
/// Then, as MinGen, the feasible node of the least cost by the metric, and all minimal nodes: the
/// same answers. A node is passed over if its cost with nothing suppressed is no less than the best
/// seen.
///
/// Exact for every model. Where a model is not monotone (see NodeConstraint), the two properties
/// hold for what it implies, and the nodes that are left are looked at one by one. Throws
/// invalid_parameter if the lattice has more than kIncognitoNodes nodes, infeasible if no node will
/// do.
Recoded incognito(const FullDomainProblem& problem, Ticker& ticker);

/// Its minimal nodes alone, in lexicographic order.
std::vector<Levels> minimal_nodes(FullDomainSearch& search);

inline constexpr std::int64_t kIncognitoNodes = 10000000;

}  // namespace anonkit
