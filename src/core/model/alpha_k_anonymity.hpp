#pragma once

#include "model/level.hpp"

namespace anonkit {

/// (alpha,k)-anonymity: in every class the share of each value of the sensitive attribute is at
/// most alpha (R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang: (alpha,k)-anonymity: an enhanced
/// k-anonymity model for privacy preserving data publishing. KDD 2006; the general form, in which
/// every value is sensitive). The level is the largest share of a value in a class, in (0,1].
/// k_anonymity judges k. O(distinct values of all classes).
Level alpha_k_anonymity(const ClassHistogram& histogram, Ticker& ticker);

}  // namespace anonkit
