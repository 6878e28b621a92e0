#pragma once

#include "constraint/sorted_values.hpp"

namespace anonkit {

/// Entropy l-diversity (Machanavajjhala et al. 2006): in every class the entropy of a sensitive
/// attribute is at least log l.
///
/// With counts c of sum s the entropy is log s - (1/s) sum of c log c. Logarithms by the four
/// operations alone, so a decision is the same on every machine. Where entropies are equal to log l
/// up to 1e-12 a whole l holds (l equally frequent values must do) and any other does not: what is
/// accepted keeps l however its entropy is rounded.
class EntropyDiversity final : public SortedValues {
 public:
  /// Throws invalid_parameter unless l >= 1.
  EntropyDiversity(std::vector<std::int32_t> ranks, double l);

  bool holds(const Values& values, std::int32_t members) const override;

 private:
  double weight(std::int32_t count) const;

  double least_;                 ///< entropy, its margin included
  std::vector<double> weights_;  ///< c log c by c, where c is small
};

}  // namespace anonkit
