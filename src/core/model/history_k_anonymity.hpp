#pragma once

#include "model/level.hpp"

namespace anonkit {

/// k-anonymity of histories, in a relation where a person may have several records. The level is
/// the smallest number of persons with the same number of records in every class. Five visits in
/// five classes of a thousand may identify one person, like a set of items or a trajectory (B. C.
/// M. Fung, K. Wang, R. Chen, P. S. Yu: Privacy-preserving data publishing: a survey of recent
/// developments. ACM Computing Surveys 42(4), 2010).
///
/// The worst class is the first one of the rarest history. Requires units. O(n log n).
Level history_k_anonymity(const ClassHistogram& histogram, Ticker& ticker);

}  // namespace anonkit
