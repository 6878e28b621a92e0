#pragma once

#include "base/options.hpp"
#include "constraint/sorted_values.hpp"
#include "sensitive/sensitive_attribute.hpp"

namespace anonkit {

/// What (k,p,q,r)-anonymity asks beside k (Domingo-Ferrer, Sebe and Solanas 2008, Definition 7): a
/// class that holds a value rarer than q in the table has at least p values, and at least r times
/// the variance that the table has, or its records of rare values (step 2 of their heuristic).
///
/// Variance is half the mean squared difference between two records, of numbers the sample
/// variance; of ordinal attributes that of the ranks. Of nominal attributes records with unequal
/// values differ by 1, which makes it half a record's mean distance from the others: their
/// marginality (Domingo-Ferrer and Solanas 2008). One record has none. Nulls among numbers count as
/// a value and have no part in the variance. A share of a variance is rounded to 12 decimals, so
/// that one of exactly r holds.
class RareValues final : public SortedValues {
 public:
  /// Throws invalid_parameter unless p >= 0, 0 <= q <= 1 and 0 <= r <= 1.
  RareValues(const SensitiveAttribute& attribute, std::int32_t p, double q, double r,
             VarianceOf variance_of);

  /// True if the value of that rank is rarer than q.
  bool rare(std::int32_t rank) const { return rare_[static_cast<std::size_t>(rank)]; }
  /// The variance that r is a share of.
  double reference() const { return reference_; }

  bool holds(const Values& values, std::int32_t members) const override;

 private:
  double variance(const Values& values) const;

  bool nominal_;
  std::vector<double> numbers_;  ///< by rank, of numbers and ordinal attributes; null has none
  std::vector<bool> rare_;       ///< by rank
  std::int32_t p_;
  double r_;
  double reference_ = 0;
};

}  // namespace anonkit
