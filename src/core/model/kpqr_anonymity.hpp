#pragma once

#include <cstdint>

#include "base/options.hpp"
#include "model/level.hpp"

namespace anonkit {

/// The levels of (k,p,q,r)-anonymity of one sensitive attribute, without k.
struct KpqrLevel {
  std::int32_t bound_classes = 0;  ///< classes with a value rarer than q
  Level p;                         ///< the fewest distinct values of such a class
  Level r;                         ///< the least share of the variance of such a class
};

/// (k,p,q,r)-anonymity (J. Domingo-Ferrer, F. Sebe, A. Solanas: An anonymity model achievable via
/// microaggregation. SDM 2008, Definition 7). It concerns every class with a value whose share of
/// the relation is less than q. Such a class has at least p distinct values, and the ratio of its
/// variance to that of all records is at least r. With VarianceOf::rare the reference is the
/// variance of the records with rare values, as in step 2 of the paper's heuristic. Without such a
/// class both levels are infinite. A ratio to a variance of 0 is infinite, too.
///
/// The variance of numbers is the sample variance, without nulls. The variance of ordinal
/// attributes is that of the values' ranks among the distinct ones, null last. For nominal
/// attributes it is half the share of pairs of records with unequal values. This is half of a
/// record's average marginality (J. Domingo-Ferrer, A. Solanas: A measure of variance for
/// hierarchical nominal attributes. Information Sciences 178, 2008) with all unequal values at
/// distance 1. All three are half the mean squared distance of two records. A single record has
/// variance 0. Ratios are rounded to 12 decimals, so that 3/10 as a fraction is the double 0.3.
///
/// k_anonymity judges k. Throws invalid_parameter unless 0 <= q <= 1. O(distinct values of all
/// classes).
KpqrLevel kpqr_anonymity(const ClassHistogram& histogram, double q, VarianceOf variance_of,
                         Ticker& ticker);

}  // namespace anonkit
