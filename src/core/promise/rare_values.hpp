#pragma once

#include <vector>

#include "base/options.hpp"
#include "promise/class_model.hpp"
#include "sensitive/sensitive_attribute.hpp"

namespace anonkit {

/// (k,p,q,r)-anonymity without k (Domingo-Ferrer, Sebe and Solanas 2008, Definition 7). A class
/// with a value rarer than q in the table has at least p values. Its variance is at least r times
/// that of the table, or of the table's records of rare values (step 2 of their heuristic).
///
/// Variance is half the mean squared difference between two records: of numbers the sample
/// variance, of ordinal attributes that of the ranks. Records with unequal nominal values differ by
/// 1. So the variance is half a record's mean distance from the others, their marginality
/// (Domingo-Ferrer and Solanas 2008). One record has variance 0. A null among numbers counts as a
/// value, but not in the variance. Shares of a variance are rounded to 12 decimals, so that a share
/// of exactly r passes.
class RareValues {
 public:
  RareValues(const SensitiveAttribute& attribute, const Promises& promises);

  /// True if the value of that rank is rarer than q.
  bool rare(std::int32_t rank) const { return rare_[static_cast<std::size_t>(rank)]; }
  /// The variance of reference for r.
  double reference() const { return reference_; }

  /// True if the model holds for a class.
  bool operator()(const Emd::Runs& runs, std::int32_t members) const;

 private:
  double variance(const Emd::Runs& runs) const;

  bool nominal_;
  std::vector<double> numbers_;  ///< by rank, for numbers and ordinal attributes; null has none
  std::vector<bool> rare_;       ///< by rank
  std::int32_t p_;
  double r_;
  double reference_;
};

}  // namespace anonkit
