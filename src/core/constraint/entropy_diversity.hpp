#pragma once

#include "constraint/sorted_values.hpp"

namespace anonkit {

/// Entropy l-diversity (Machanavajjhala et al. 2006): in every class the entropy of a sensitive
/// attribute is at least log l.
///
/// With counts c of sum s the entropy is log s - (1/s) sum of c log c. Logarithms use the four
/// operations alone, so every machine decides alike. Within 1e-12 of log l, an integer l is
/// accepted and any other is rejected: l equally frequent values must be accepted. Rounding
/// therefore never lets a class below l pass.
class EntropyDiversity final : public SortedValues {
 public:
  /// Throws invalid_parameter unless l >= 1.
  EntropyDiversity(std::vector<std::int32_t> ranks, double l);

  bool holds(const Values& values, std::int32_t members) const override;

  /// The least entropy of a class, with the margin of its rounding. Throws invalid_parameter unless
  /// l >= 1.
  static double least_entropy(double l);

 private:
  double weight(std::int32_t count) const;

  double least_;                 ///< entropy, including the margin
  std::vector<double> weights_;  ///< c log c by c, for small c
};

}  // namespace anonkit
