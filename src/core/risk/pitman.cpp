#include "risk/pitman.hpp"

#include <array>
#include <cmath>

namespace anonkit {
namespace {

/// x, x + step, ..., of so many terms; x is positive. The Euler-Maclaurin formula sums functions of
/// them in constant time. Its error is below 1e-13, since the first terms are summed one by one.
struct Progression {
  double x;
  double step;
  double count;
};

constexpr double kFirstTerms = 32;

template <typename F>
double sum_of_first(const Progression& p, F of_term) {
  double sum = 0;
  for (double i = 0; i < std::fmin(p.count, kFirstTerms); ++i) sum += of_term(p.x + i * p.step);
  return sum;
}

/// (1+r) log(1+r) - r. The series avoids the cancellation at small r.
double integral_of_log1p(double r) {
  if (r > 0.01) return (1 + r) * std::log1p(r) - r;
  double sum = 0;
  double power = r * r;
  for (double i = 2; i < 12; ++i, power *= -r) sum += power / (i * (i - 1));
  return sum;
}

double sum_of_logs(const Progression& p) {
  const double first = sum_of_first(p, [](double x) { return std::log(x); });
  if (p.count <= kFirstTerms) return first;
  const double a = p.x + kFirstTerms * p.step;
  const double length = p.count - 1 - kFirstTerms;
  const double b = a + length * p.step;
  const double integral =
      length * std::log(a) + (p.step > 0 ? a / p.step * integral_of_log1p(length * p.step / a) : 0);
  const double at_a = p.step / a;
  const double at_b = p.step / b;
  return first + integral + (std::log(a) + std::log(b)) / 2 + (at_b - at_a) / 12 -
         (std::pow(at_b, 3) - std::pow(at_a, 3)) / 360 +
         (std::pow(at_b, 5) - std::pow(at_a, 5)) / 1260;
}

double sum_of_reciprocals(const Progression& p) {
  const double first = sum_of_first(p, [](double x) { return 1 / x; });
  if (p.count <= kFirstTerms) return first;
  const double a = p.x + kFirstTerms * p.step;
  const double length = p.count - 1 - kFirstTerms;
  const double b = a + length * p.step;
  const double integral = p.step > 0 ? std::log1p(length * p.step / a) / p.step : length / a;
  const double at_a = p.step / a;
  const double at_b = p.step / b;
  return first + integral + (1 / a + 1 / b) / 2 - (at_b / b - at_a / a) / 12 +
         (std::pow(at_b, 3) / b - std::pow(at_a, 3) / a) / 120 -
         (std::pow(at_b, 5) / b - std::pow(at_a, 5) / a) / 252;
}

/// From one occurring size to the next, the same number of classes is larger.
struct SizeStep {
  double from;
  double to;
  double larger;
};

std::vector<SizeStep> steps_of(const SampleSizes& sample, Ticker& ticker) {
  std::vector<SizeStep> steps;
  double from = 1;
  auto larger = static_cast<double>(sample.classes);
  for (std::size_t size = 1; size < sample.classes_of_size.size(); ++size) {
    ticker.step(1);
    const std::int64_t classes = sample.classes_of_size[size];
    if (classes == 0) continue;
    const auto to = static_cast<double>(size);
    if (to > from) steps.push_back({from, to, larger});
    from = to;
    larger -= static_cast<double>(classes);
  }
  return steps;
}

/// The log-likelihood, prod (theta + i alpha) / (theta+1)^[n-1] * prod (1-alpha)^[s-1], without its
/// constant. For each alpha there is one best theta; the profile is the likelihood there.
class Likelihood {
 public:
  Likelihood(const SampleSizes& sample, Ticker& ticker)
      : records_(static_cast<double>(sample.records)),
        classes_(static_cast<double>(sample.classes)),
        steps_(steps_of(sample, ticker)),
        ticker_(ticker) {}

  double at(const PitmanParameters& p) const {
    double sum = sum_of_logs({p.theta + p.alpha, p.alpha, classes_ - 1}) -
                 sum_of_logs({p.theta + 1, 1, records_ - 1});
    for (const SizeStep& step : steps_) {
      ticker_.step(500);
      sum += step.larger * sum_of_logs({step.from - p.alpha, 1, step.to - step.from});
    }
    return sum;
  }

  /// The slope in theta changes its sign once: from above 0 near -alpha to below 0.
  PitmanParameters best_theta(double alpha) const {
    double low = 1;  // of theta + alpha
    while (slope(alpha, low) < 0) low /= 2;
    double high = 2 * low;
    while (slope(alpha, high) > 0) high *= 2;
    while (high - low > 1e-15 * high) {
      const double middle = (low + high) / 2;
      if (middle <= low || middle >= high) break;
      (slope(alpha, middle) > 0 ? low : high) = middle;
    }
    return {alpha, low - alpha};
  }

  double profile(double alpha) const { return at(best_theta(alpha)); }

 private:
  double slope(double alpha, double above_least) const {
    ticker_.step(500);
    return sum_of_reciprocals({above_least, alpha, classes_ - 1}) -
           sum_of_reciprocals({above_least - alpha + 1, 1, records_ - 1});
  }

  double records_;
  double classes_;
  std::vector<SizeStep> steps_;
  Ticker& ticker_;
};

/// Golden-section search for the greatest profile between two values of alpha.
double best_between(const Likelihood& likelihood, double low, double high) {
  constexpr double kGolden = 0.6180339887498949;
  double left = high - kGolden * (high - low);
  double right = low + kGolden * (high - low);
  double at_left = likelihood.profile(left);
  double at_right = likelihood.profile(right);
  while (high - low > 1e-10) {
    if (at_left > at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - kGolden * (high - low);
      at_left = likelihood.profile(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + kGolden * (high - low);
      at_right = likelihood.profile(right);
    }
  }
  return (low + high) / 2;
}

/// log Gamma(x + delta) / Gamma(x) for 0 <= delta <= 1: exact to 1e-13, also where both gammas
/// would be of 1e15 (F. Tricomi, A. Erdelyi: The asymptotic expansion of a ratio of gamma
/// functions, 1951).
double log_gamma_ratio(double x, double delta) {
  constexpr double kLarge = 1000;
  double correction = 0;
  for (; x < kLarge; ++x) correction += std::log1p(delta / x);
  const double w = x + (delta - 1) / 2;
  return delta * std::log(w) + delta * (1 - delta * delta) / (24 * w * w) - correction;
}

}  // namespace

double pitman_likelihood(const SampleSizes& sample, const PitmanParameters& at, Ticker& ticker) {
  return Likelihood(sample, ticker).at(at);
}

PitmanParameters fit_pitman(const SampleSizes& sample, Ticker& ticker) {
  if (sample.classes < 2 || sample.classes == sample.records) return {kUnknown, kUnknown};
  const Likelihood likelihood(sample, ticker);
  // The profile may have several maxima, so a grid comes before the search.
  constexpr int kSteps = 64;
  std::array<double, kSteps + 1> profile;
  int best = 0;
  for (int i = 0; i < kSteps; ++i) {
    profile[i] = likelihood.profile(static_cast<double>(i) / kSteps);
    if (profile[i] > profile[best]) best = i;
  }
  const double inside =
      best_between(likelihood, std::fmax(0, best - 1.0) / kSteps, (best + 1.0) / kSteps);
  // Near 0, differences of the likelihood are lost in its rounding.
  const bool is_boundary = inside < 1e-6 || likelihood.profile(inside) <= profile[0];
  return likelihood.best_theta(is_boundary ? 0 : inside);
}

PopulationEstimate pitman_uniques(const SampleSizes& sample, Ticker& ticker) {
  const auto [alpha, theta] = fit_pitman(sample, ticker);
  if (std::isnan(alpha)) return {kUnknown, kUnknown};
  const double n = sample.population;
  const double first = log_gamma_ratio(theta + alpha, 1 - alpha);
  const double uniques = n * std::exp(first - log_gamma_ratio(theta + alpha + n - 1, 1 - alpha));
  // At alpha = 0 record i founds a class with probability theta / (theta + i).
  if (alpha == 0) return {uniques, theta * sum_of_reciprocals({theta, 1, n})};
  // The expected classes: theta/alpha ((theta+alpha)^[n] / theta^[n] - 1). theta/theta^[n] is
  // 1/(theta+1)^[n-1], also for theta below 0.
  const double grown = std::exp(first + log_gamma_ratio(theta + n, alpha));
  return {uniques, (grown - theta) / alpha};
}

}  // namespace anonkit
