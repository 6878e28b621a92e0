#pragma once

#include "constraint/sorted_values.hpp"

namespace anonkit {

/// (alpha,k)-anonymity (Wong et al. 2006): in every class the share of each value of a sensitive
/// attribute is at most alpha.
class LargestShare final : public SortedValues {
 public:
  /// Throws invalid_parameter unless 0 < alpha <= 1.
  LargestShare(std::vector<std::int32_t> ranks, double alpha);

  bool holds(const Values& values, std::int32_t members) const override;

 private:
  double alpha_;
};

/// The most records of one value in a class of that size.
std::int32_t most_alike(double alpha, std::int32_t members);

}  // namespace anonkit
