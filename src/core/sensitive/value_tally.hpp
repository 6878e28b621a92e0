#pragma once

#include <cstdint>
#include <vector>

#include "sensitive/sensitive_attribute.hpp"

namespace anonkit {

/// How often each value of a sensitive attribute occurs among records that come and go, how many
/// values do, and their variance (see constraint/rare_values.hpp); each in O(1). For algorithms
/// that build classes record by record; numbers are summed from the least one on, so that whole
/// numbers lose nothing.
class ValueTally {
 public:
  explicit ValueTally(const SensitiveAttribute& attribute);

  void add(std::int32_t rank) { change(rank, 1); }
  void remove(std::int32_t rank) { change(rank, -1); }

  std::int32_t count(std::int32_t rank) const { return counts_[static_cast<std::size_t>(rank)]; }
  std::int32_t distinct() const { return distinct_; }
  /// 0 for fewer than two records.
  double variance() const { return variance(size_, sum_, squares_); }
  /// The variance with one record more.
  double variance_with(std::int32_t rank) const;

 private:
  void change(std::int32_t rank, int by);
  double variance(double size, double sum, double squares) const;
  bool has_number(std::int32_t rank) const {
    return static_cast<std::size_t>(rank) < numbers_.size();
  }
  double number(std::int32_t rank) const { return numbers_[static_cast<std::size_t>(rank)]; }

  bool nominal_;
  std::vector<double> numbers_;  ///< by rank, from 0 on; null has none
  std::vector<std::int32_t> counts_;
  std::int32_t distinct_ = 0;
  double size_ = 0, sum_ = 0;
  double squares_ = 0;  ///< of the numbers, or of the counts of a nominal attribute
};

}  // namespace anonkit
