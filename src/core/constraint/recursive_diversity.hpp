#pragma once

#include "constraint/sorted_values.hpp"

namespace anonkit {

/// Recursive (c,l)-diversity (Machanavajjhala et al. 2006): r_1 < c (r_l + ... + r_m) in every
/// class, where r_i is the frequency of its i-th most frequent value. A class with fewer than l
/// values fails.
class RecursiveDiversity final : public SortedValues {
 public:
  /// Throws invalid_parameter unless c > 0 and l >= 1.
  RecursiveDiversity(std::vector<std::int32_t> ranks, double c, std::int32_t l);

  bool holds(const Values& values, std::int32_t members) const override;

 private:
  double c_;
  std::size_t l_;
  mutable std::vector<std::int32_t> counts_;
};

}  // namespace anonkit
