#pragma once

#include <cstdint>
#include <vector>

#include "sensitive/sensitive_attribute.hpp"

namespace anonkit {

/// Counts of the values of a sensitive attribute among records that enter and leave, the number of
/// distinct values, and their variance (see promise/rare_values.hpp). Each operation is O(1).
/// Algorithms that build classes record by record use it. Sums are relative to the least number, so
/// that integers stay exact.
class ValueTally {
 public:
  explicit ValueTally(const SensitiveAttribute& attribute);

  void add(std::int32_t rank) { change(rank, 1); }
  void remove(std::int32_t rank) { change(rank, -1); }

  std::int32_t count(std::int32_t rank) const { return counts_[static_cast<std::size_t>(rank)]; }
  std::int32_t distinct() const { return distinct_; }
  /// The variance of the values; 0 for fewer than two records.
  double variance() const { return variance(size_, sum_, squares_); }
  /// The variance after one more record.
  double variance_with(std::int32_t rank) const;

 private:
  void change(std::int32_t rank, int by);
  double variance(double size, double sum, double squares) const;
  bool has_number(std::int32_t rank) const {
    return static_cast<std::size_t>(rank) < numbers_.size();
  }
  double number(std::int32_t rank) const { return numbers_[static_cast<std::size_t>(rank)]; }

  bool nominal_;
  std::vector<double> numbers_;  ///< by rank, relative to the least; null has none
  std::vector<std::int32_t> counts_;
  std::int32_t distinct_ = 0;
  double size_ = 0, sum_ = 0;
  double squares_ = 0;  ///< of the numbers, or of the counts of a nominal attribute
};

}  // namespace anonkit
