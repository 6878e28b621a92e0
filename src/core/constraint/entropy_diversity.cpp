#include "constraint/entropy_diversity.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/logarithm.hpp"

namespace anonkit {
namespace {

constexpr double kMargin = 1e-12;
constexpr std::size_t kTabulated = 1024;

}  // namespace

EntropyDiversity::EntropyDiversity(std::vector<std::int32_t> ranks, double l)
    : SortedValues(std::move(ranks)) {
  least_ = least_entropy(l);
  weights_.push_back(0);
  for (std::size_t c = 1; c <= std::min(kTabulated, this->ranks().size()); ++c)
    weights_.push_back(static_cast<double>(c) * logarithm(static_cast<double>(c)));
}

double EntropyDiversity::least_entropy(double l) {
  if (!(l >= 1))
    throw Error(ErrorKind::invalid_parameter, "entropy_l is out of range",
                "entropy_l must be at least 1.");
  // Leaves half the margin to the rounding of later measurements.
  return logarithm(l) + (std::floor(l) == l ? -kMargin / 2 : kMargin);
}

bool EntropyDiversity::holds(const Values& values, std::int32_t) const {
  double sum = 0;
  for_each_value(values, [&](std::int32_t, std::int32_t count) { sum += weight(count); });
  const auto size = static_cast<double>(values.size());
  return (weight(static_cast<std::int32_t>(values.size())) - sum) / size >= least_;
}

double EntropyDiversity::weight(std::int32_t count) const {
  return static_cast<std::size_t>(count) < weights_.size()
             ? weights_[static_cast<std::size_t>(count)]
             : count * logarithm(count);
}

}  // namespace anonkit
