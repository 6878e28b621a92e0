#include <algorithm>
#include <cmath>
#include <memory>

#include "base/logarithm.hpp"
#include "base/tolerance.hpp"
#include "promise/person_values.hpp"
#include "promise/promise.hpp"
#include "promise/sorted_members.hpp"

namespace anonkit {
namespace {

constexpr std::size_t kTabulated = 1024;

/// Leaves half the tolerance to the rounding of later measurements.
double least_entropy(double l) {
  return logarithm(l) - kTolerance / 2;
}

/// With counts c of sum s the entropy is log s - (1/s) sum of c log c. Logarithms use the four
/// operations alone, so every machine decides alike.
class EntropyDiversity {
 public:
  EntropyDiversity(std::size_t records, double l) : least_(least_entropy(l)) {
    weights_.push_back(0);
    for (std::size_t c = 1; c <= std::min(kTabulated, records); ++c)
      weights_.push_back(static_cast<double>(c) * logarithm(static_cast<double>(c)));
  }

  bool operator()(const Emd::Runs& runs, std::int32_t) const {
    double sum = 0;
    std::int32_t size = 0;
    for (const Emd::Run& run : runs) {
      sum += weight(run.count);
      size += run.count;
    }
    return (weight(size) - sum) / size >= least_;
  }

 private:
  double weight(std::int32_t count) const {
    return static_cast<std::size_t>(count) < weights_.size()
               ? weights_[static_cast<std::size_t>(count)]
               : count * logarithm(count);
  }

  double least_;
  std::vector<double> weights_;  ///< c log c
};

ClassModel model_of_entropy_diversity(const SensitiveAttribute& attribute,
                                      const Promises& promises) {
  return EntropyDiversity(attribute.ranks.size(), promises.entropy_l);
}

void constrain_entropy_diversity(const std::vector<SensitiveAttribute>& attributes,
                                 const Promises& promises, const std::vector<std::int32_t>& units,
                                 Constraints* added) {
  const double l = promises.entropy_l;
  for (const SensitiveAttribute& attribute : attributes) {
    if (units.empty())
      added->push_back(std::make_unique<ValueFrequencies>(
          attribute.ranks, model_of_entropy_diversity(attribute, promises)));
    else
      added->push_back(std::make_unique<PersonEntropy>(
          facts_of(attribute.ranks, units), static_cast<std::int32_t>(std::ceil(std::min(l, 1e9))),
          least_entropy(l)));
  }
}

/// Entropy l-diversity (Machanavajjhala et al. 2006): in every class the entropy of a sensitive
/// attribute is at least log l. Entropy is at most the logarithm of the number of values, and it is
/// at least log l if no value has more than 1/l of the class.
constexpr Promise row_of_entropy_diversity() {
  Promise row;
  row.name = "entropy l-diversity";
  row.parameters[0] = {"entropy_l", ParameterDomain::at_least_one, nullptr, &Promises::entropy_l};
  row.levels[0] = {row.name, [](const Promises& p, std::size_t) { return p.entropy_l; },
                   "entropy %g-diverse"};
  row.is_made = [](const Promises& p) { return p.entropy_l > 0; };
  row.implied_values = [](const Promises& p) { return p.entropy_l; };
  row.limits = [](const Promises& p) { return ValueLimits{1 / p.entropy_l}; };
  row.model = model_of_entropy_diversity;
  row.constrain = constrain_entropy_diversity;
  return row;
}

}  // namespace

constexpr Promise kEntropyDiversity = row_of_entropy_diversity();

}  // namespace anonkit
