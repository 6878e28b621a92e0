#pragma once

#include "constraint/sorted_values.hpp"

namespace anonkit {

/// (k,e)-anonymity (Zhang et al. 2007): in every class the greatest and the least number of a
/// sensitive attribute are at least e apart. Nulls are not numbers; a class of nulls has range 0.
class ValueRange final : public SortedValues {
 public:
  /// `numbers`: the value of each rank, ascending; null, if it occurs, is the rank after the last.
  /// Throws invalid_parameter unless e > 0.
  ValueRange(std::vector<std::int32_t> ranks, std::vector<double> numbers, double e);

  bool holds(const Values& values, std::int32_t members) const override;

 private:
  std::vector<double> numbers_;
  double e_;
};

}  // namespace anonkit
