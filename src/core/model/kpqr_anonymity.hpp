#pragma once

#include <cstdint>

#include "base/options.hpp"
#include "model/level.hpp"

namespace anonkit {

/// What (k,p,q,r)-anonymity is found to hold of one sensitive attribute beside k.
struct KpqrLevel {
  std::int32_t bound_classes = 0;  ///< that hold a value rarer than q
  Level p;                         ///< the fewest distinct values of a class that is bound
  Level r;                         ///< the least share of the variance of a class that is bound
};

/// (k,p,q,r)-anonymity (J. Domingo-Ferrer, F. Sebe, A. Solanas: An anonymity model achievable via
/// microaggregation. SDM 2008, Definition 7): in every class that holds a value whose share of the
/// relation is less than q there are at least p distinct values, and the ratio between the class's
/// variance and that of all records is at least r; with VarianceOf::rare that of the records whose
/// value is rare, as in step 2 of the paper's heuristic. Where no class is bound both levels are
/// infinite; so is the ratio to a variance of 0.
///
/// The variance of numbers is the sample variance, without nulls; that of ordinal attributes is the
/// one of the values' places among the distinct ones, null's the last. For nominal attributes it
/// is half the share of pairs of records with unequal values: half of what a record's marginality
/// is on average (J. Domingo-Ferrer, A. Solanas: A measure of variance for hierarchical nominal
/// attributes. Information Sciences 178, 2008), all unequal values being at distance 1. All three
/// are half the mean squared distance of two records. A single record has variance 0. Ratios are
/// rounded to 12 decimals, so that one that is 3/10 as a fraction is the double 0.3.
///
/// k is k-anonymity's matter. Throws invalid_parameter unless 0 <= q <= 1. O(distinct values of all
/// classes).
KpqrLevel kpqr_anonymity(const ClassHistogram& histogram, double q, VarianceOf variance_of,
                         Ticker& ticker);

}  // namespace anonkit
