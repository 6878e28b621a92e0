#include "risk/population_uniques.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace anonkit {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// First and second derivatives of Pitman's log-likelihood.
struct Slope {
  double alpha = 0, theta = 0;
  double alpha_alpha = 0, alpha_theta = 0, theta_theta = 0;
};

Slope pitman_slope(const SampleSizes& sample, const PitmanParameters& at, Ticker& ticker) {
  Slope slope;
  for (std::int64_t i = 1; i < sample.classes; ++i) {
    ticker.step(4);
    const auto x = static_cast<double>(i);
    const double r = 1 / (at.theta + x * at.alpha);
    slope.theta += r;
    slope.alpha += x * r;
    slope.theta_theta -= r * r;
    slope.alpha_theta -= x * r * r;
    slope.alpha_alpha -= x * r * x * r;
  }
  for (std::int64_t i = 1; i < sample.records; ++i) {
    ticker.step(4);
    const double r = 1 / (at.theta + static_cast<double>(i));
    slope.theta -= r;
    slope.theta_theta += r * r;
  }
  // A class of size s has a factor for each i below s, so this counts the classes above i.
  double above = static_cast<double>(sample.classes) - sample.uniques();
  for (std::size_t i = 1; i + 1 < sample.classes_of_size.size(); ++i) {
    ticker.step(4);
    const double r = 1 / (static_cast<double>(i) - at.alpha);
    slope.alpha -= above * r;
    slope.alpha_alpha -= above * r * r;
    above -= static_cast<double>(sample.classes_of_size[i + 1]);
  }
  return slope;
}

bool is_inside(const PitmanParameters& at) {
  return at.alpha > 0 && at.alpha < 1 && at.theta > -at.alpha;
}

PitmanParameters hoshinos_start(const SampleSizes& sample) {
  const auto n = static_cast<double>(sample.records);
  const auto u = static_cast<double>(sample.classes);
  const double s1 = sample.uniques();
  const auto s2 = static_cast<double>(sample.classes_of_size[2]);
  const double c = s1 * (s1 - 1) / s2;
  const double theta = (n * u * c - s1 * (n - 1) * (2 * u + c)) / (2 * s1 * u + s1 * c - n * c);
  const double alpha = (theta * (s1 - n) + (n - 1) * s1) / (n * u);
  const PitmanParameters start = {alpha, theta};
  return is_inside(start) && std::isfinite(theta) ? start : PitmanParameters{0.5, 1};
}

/// Newton's step where the likelihood is concave, else a step uphill, in units of the parameters.
PitmanParameters step_of(const Slope& s, const PitmanParameters& at) {
  const double determinant = s.alpha_alpha * s.theta_theta - s.alpha_theta * s.alpha_theta;
  if (s.alpha_alpha < 0 && determinant > 0)
    return {(s.alpha_theta * s.theta - s.theta_theta * s.alpha) / determinant,
            (s.alpha_theta * s.alpha - s.alpha_alpha * s.theta) / determinant};
  const double reach = std::max(1.0, std::fabs(at.theta));
  const double length = std::hypot(s.alpha, s.theta * reach);
  return {0.1 * s.alpha / length, 0.5 * reach * s.theta * reach / length};
}

/// std::lgamma stores the sign in a global variable.
double log_gamma(double x) {
  int sign;
  return ::lgamma_r(x, &sign);
}

/// log of x (x+1) ... (x+n-1).
double log_rising(double x, double n) {
  return log_gamma(x + n) - log_gamma(x);
}

}  // namespace

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

double pitman_likelihood(const SampleSizes& sample, const PitmanParameters& at, Ticker& ticker) {
  double likelihood = 0;
  for (std::int64_t i = 1; i < sample.classes; ++i) {
    ticker.step(10);
    likelihood += std::log(at.theta + static_cast<double>(i) * at.alpha);
  }
  likelihood -= log_rising(at.theta + 1, static_cast<double>(sample.records) - 1);
  double above = static_cast<double>(sample.classes) - sample.uniques();
  for (std::size_t i = 1; i + 1 < sample.classes_of_size.size(); ++i) {
    ticker.step(10);
    likelihood += above * std::log(static_cast<double>(i) - at.alpha);
    above -= static_cast<double>(sample.classes_of_size[i + 1]);
  }
  return likelihood;
}

PitmanParameters fit_pitman(const SampleSizes& sample, Ticker& ticker) {
  constexpr int kRounds = 200;
  constexpr int kHalvings = 60;
  const bool fits = sample.classes_of_size.size() > 2 && sample.uniques() > 0 &&
                    sample.classes_of_size[2] > 0 && sample.classes > 1;
  if (!fits) return {kUnknown, kUnknown};
  PitmanParameters at = hoshinos_start(sample);
  double best = pitman_likelihood(sample, at, ticker);
  for (int round = 0; round < kRounds; ++round) {
    const PitmanParameters step = step_of(pitman_slope(sample, at, ticker), at);
    bool climbed = false;
    double share = 1;
    for (int halving = 0; halving < kHalvings && !climbed; ++halving, share /= 2) {
      const PitmanParameters next = {at.alpha + share * step.alpha, at.theta + share * step.theta};
      if (!is_inside(next)) continue;
      const double likelihood = pitman_likelihood(sample, next, ticker);
      if (!(likelihood > best)) continue;
      climbed = likelihood - best > 1e-13 * std::fabs(best);
      best = likelihood;
      at = next;
      if (!climbed) return at;
    }
    if (!climbed) return at;
  }
  return at;
}

PopulationEstimate pitman_uniques(const SampleSizes& sample, Ticker& ticker) {
  const auto [alpha, theta] = fit_pitman(sample, ticker);
  if (std::isnan(alpha)) return {kUnknown, kUnknown};
  const double n = sample.population;
  const double uniques =
      n * std::exp(log_rising(theta + alpha, n - 1) - log_rising(theta + 1, n - 1));
  // The expected classes: theta/alpha ((theta+alpha)^[n] / theta^[n] - 1). theta/theta^[n] is
  // 1/(theta+1)^[n-1], also for theta below 0.
  const double grown = std::exp(log_rising(theta + alpha, n) - log_rising(theta + 1, n - 1));
  return {uniques, (grown - theta) / alpha};
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
  double low = -15;
  double at_low = 0;
  for (int i = 0; i <= kSteps; ++i) {
    const double high = -15 + 30.0 * i / kSteps;
    const auto beta_of = [](double odds) { return 1 / (1 + std::exp(-odds)); };
    const double at_high = snb_excess(sample, beta_of(high));
    if (i > 0 && (at_low > 0) != (at_high > 0)) {
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
