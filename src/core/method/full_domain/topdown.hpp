#pragma once

#include "base/ticker.hpp"
#include "method/full_domain/full_domain.hpp"

namespace anonkit {

/// Top-down specialisation (Fung, Wang, Yu: Top-down specialization for information and privacy
/// preservation. ICDE 2005). Every value starts at the top of its hierarchy. Each step replaces one
/// value of the cut through one hierarchy by its children, in all records. A step must satisfy all
/// promises within the limit of suppression. Among the allowed values it takes the first one of
/// best score, which is the information gain over 1 + the anonymity loss. The anonymity loss is the
/// decrease of the smallest class.
///
/// With class labels the information gain is that of a decision tree, and values without gain stay.
/// Without labels it is the information regained, in natural units. A value of n records, split
/// into n_1, n_2, .., gains the sum of n_i log(n/n_i) over the table's records.
///
/// Values of one attribute may end at different levels, each value at one level. Throws infeasible
/// if the top of the lattice breaks a promise.
Recoded topdown(const FullDomainProblem& problem, Ticker& ticker);

}  // namespace anonkit
