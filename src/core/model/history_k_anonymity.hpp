#pragma once

#include "model/level.hpp"

namespace anonkit {

/// k-anonymity of histories: of a relation in which a person may have several records, the smallest
/// number of persons whose records fall to the same classes, as many to each: the multiset of a
/// person's classes identifies them beside so many at most. Five visits in five classes of 1000 may
/// be one person's alone (the problem of sequences that B. C. M. Fung, K. Wang, R. Chen, P. S. Yu:
/// Privacy-preserving data publishing. ACM Computing Surveys 42(4), 2010, section 9 treat as
/// trajectories and transactions).
///
/// The worst class is the first one of the rarest history. Needs units. O(n log n).
Level history_k_anonymity(const ClassHistogram& histogram, Ticker& ticker);

}  // namespace anonkit
