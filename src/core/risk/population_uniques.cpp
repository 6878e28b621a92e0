#include "risk/population_uniques.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace anonkit {
SampleSizes sample_sizes(const std::vector<std::int64_t>& sizes, double population) {
  SampleSizes sample;
  sample.classes = static_cast<std::int64_t>(sizes.size());
  sample.population = population;
  for (const std::int64_t size : sizes) {
    sample.records += size;
    const auto at = static_cast<std::size_t>(size);
    if (at >= sample.classes_of_size.size()) sample.classes_of_size.resize(at + 1);
    ++sample.classes_of_size[at];
  }
  if (population < static_cast<double>(sample.records))
    throw Error(ErrorKind::invalid_parameter, "the population is smaller than the relation");
  return sample;
}

PopulationEstimate zayatz_uniques(const SampleSizes& sample) {
  if (sample.uniques() == 0) return {0, kUnknown};
  const double n = sample.population;
  const auto drawn = static_cast<double>(sample.records);
  // The probability that one of j is drawn, over that of j = 1: j C(n-j, drawn-1) / C(n-1,
  // drawn-1).
  double chance = 1;
  double all = 0;
  for (std::size_t j = 1; j < sample.classes_of_size.size() && chance > 0; ++j) {
    all += static_cast<double>(j) * chance * static_cast<double>(sample.classes_of_size[j]);
    const double left = n - static_cast<double>(j);
    chance *= left > 0 ? std::max(0.0, (left - drawn + 1) / left) : 0;
  }
  const double unique_if_unique = sample.uniques() / all;
  return {sample.uniques() * unique_if_unique / sample.fraction(), kUnknown};
}

namespace {

/// The expectations of the slide negative binomial model for a sample, given the mean size m and
/// beta.
struct SnbSample {
  double classes;
  double uniques;
};

double snb_alpha(double m, double beta) {
  return (m - 1) * beta / (1 - beta);
}

SnbSample expect_snb(const SampleSizes& sample, double m, double beta) {
  const double f = sample.fraction();
  const double alpha = snb_alpha(m, beta);
  const double rest = 1 - (1 - beta) * (1 - f);
  const double power = std::pow(beta / rest, alpha);
  const double classes = sample.population / m;
  return {classes * (1 - (1 - f) * power),
          classes * f * power * (1 + (1 - f) * alpha * (1 - beta) / rest)};
}

/// The mean size at which the expected number of the sample's classes equals the actual number. The
/// expected number decreases with the mean size.
double snb_mean(const SampleSizes& sample, double beta) {
  const auto wanted = static_cast<double>(sample.classes);
  double low = 1;
  double high = 2;
  while (expect_snb(sample, high, beta).classes > wanted && high < 1e15) high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    const double middle = (low + high) / 2;
    (expect_snb(sample, middle, beta).classes > wanted ? low : high) = middle;
  }
  return (low + high) / 2;
}

double snb_excess(const SampleSizes& sample, double beta) {
  return expect_snb(sample, snb_mean(sample, beta), beta).uniques - sample.uniques();
}

}  // namespace

SnbParameters fit_snb(const SampleSizes& sample) {
  constexpr SnbParameters none = {kUnknown, kUnknown, kUnknown};
  if (sample.classes == sample.records || sample.fraction() >= 1) return none;
  // Parametrises beta by its odds and halves the first interval in which the uniques are met.
  constexpr int kSteps = 60;
  const auto beta_of = [](double odds) { return 1 / (1 + std::exp(-odds)); };
  double low = -15;
  double at_low = snb_excess(sample, beta_of(low));
  for (int i = 1; i <= kSteps; ++i) {
    const double high = -15 + 30.0 * i / kSteps;
    const double at_high = snb_excess(sample, beta_of(high));
    if ((at_low > 0) != (at_high > 0)) {
      double left = low;
      double right = high;
      for (int round = 0; round < 100; ++round) {
        const double middle = (left + right) / 2;
        ((snb_excess(sample, beta_of(middle)) > 0) == (at_low > 0) ? left : right) = middle;
      }
      const double beta = beta_of((left + right) / 2);
      const double m = snb_mean(sample, beta);
      return {snb_alpha(m, beta), beta, sample.population / m};
    }
    low = high;
    at_low = at_high;
  }
  return none;
}

PopulationEstimate snb_uniques(const SampleSizes& sample) {
  const auto [alpha, beta, classes] = fit_snb(sample);
  if (std::isnan(alpha)) return {kUnknown, kUnknown};
  return {classes * std::pow(beta, alpha), classes};
}

}  // namespace anonkit
