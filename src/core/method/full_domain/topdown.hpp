#pragma once

#include "base/ticker.hpp"
#include "method/full_domain/full_domain.hpp"

namespace anonkit {

/// Top-down specialisation (Fung, Wang, Yu: Top-down specialization for information and privacy
/// preservation. ICDE 2005). Every value starts at the top of its hierarchy. In each step one value
/// of the cut through one hierarchy is replaced, in all records, by its children, as long as all
/// demands hold with no more records suppressed than may be: of the values for which that is so the
/// one of the best
///     score = information gain / (anonymity loss + 1),
/// the first of several. The anonymity loss is by how much the smallest class shrinks.
///
/// With class labels the information gain is that of a decision tree, and a value that gains
/// nothing stays. Without it is the information regained, in natural units: for n records that are
/// split into n_1, n_2, .. it is the sum of n_i log(n/n_i) over the records of the table.
///
/// Values of one attribute may end at different levels, each value at one. Throws infeasible if the
/// top of the lattice does not keep the demands.
Recoded topdown(const FullDomainProblem& problem, Ticker& ticker);

}  // namespace anonkit
