#pragma once

#include "model/level.hpp"

namespace anonkit {

/// (alpha,k)-anonymity: in every class no value of the sensitive attribute has more than the share
/// alpha of the records (R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang: (alpha,k)-anonymity: an
/// enhanced k-anonymity model for privacy preserving data publishing. KDD 2006; the general form,
/// in which every value is sensitive). The level is the largest share, in (0,1], that a value has
/// of a class; k is k-anonymity's matter. O(distinct values of all classes).
Level alpha_k_anonymity(const ClassHistogram& histogram, Ticker& ticker);

}  // namespace anonkit
