#pragma once

#include "model/level.hpp"

namespace anonkit {

/// k-anonymity of histories: of a relation in which a person may have several records, the smallest
/// number of persons whose records fall to the same classes, as many to each. Five visits in five
/// classes of a thousand may be one person's alone, as a set of items or a trajectory may (B. C. M.
/// Fung, K. Wang, R. Chen, P. S. Yu: Privacy-preserving data publishing: a survey of recent
/// developments. ACM Computing Surveys 42(4), 2010).
///
/// The worst class is the first one of the rarest history. Needs units. O(n log n).
Level history_k_anonymity(const ClassHistogram& histogram, Ticker& ticker);

}  // namespace anonkit
