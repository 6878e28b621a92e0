#include "model/entropy_l_diversity.hpp"

#include <algorithm>
#include <cmath>

#include "base/tolerance.hpp"

namespace anonkit {
namespace {

constexpr double kLog2 = 0.69314718055994530942;

// The last bit of the C library's log and exp differs between machines, and a level decides whether
// a release may be published. frexp, ldexp, floor and round are exact everywhere.

/// The natural logarithm of x >= 1, by the series of the inverse hyperbolic tangent.
double natural_log(double x) {
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  if (mantissa < 0.70710678118654752) {
    mantissa *= 2;
    --exponent;
  }
  const double z = (mantissa - 1) / (mantissa + 1);  // |z| < 0.172
  const double z2 = z * z;
  double series = 0;
  for (int i = 21; i >= 1; i -= 2) series = series * z2 + 1.0 / i;
  return exponent * kLog2 + 2 * z * series;
}

/// e^x for x >= 0, by Taylor's series on |x| <= log(2)/2.
double exponential(double x) {
  const double power = std::floor(x / kLog2 + 0.5);
  const double rest = x - power * kLog2;
  double series = 1;
  for (int i = 15; i >= 1; --i) series = 1 + series * rest / i;
  return std::ldexp(series, static_cast<int>(power));
}

/// Logarithms of counts, of which most are small.
class CountLogarithms {
 public:
  CountLogarithms() {
    // log 1 is 0.
    for (int count = 2; count < kSmall; ++count) small_[count] = natural_log(count);
  }
  double operator()(std::int64_t count) const {
    return count < kSmall ? small_[count] : natural_log(static_cast<double>(count));
  }

 private:
  static constexpr int kSmall = 256;
  double small_[kSmall] = {};
};

/// exp(entropy) of one class: log s - (1/s) * sum of c log c is the entropy of counts c of sum s.
double effective_values(const ClassHistogram::Entries& entries, const CountLogarithms& log,
                        Ticker& ticker) {
  double sum = 0, size = 0;
  double lost = 0;  // Kahan's summation: a class may have a million values
  for (const ClassHistogram::Entry& entry : entries) {
    ticker.step(16);
    const auto count = static_cast<double>(entry.weight);
    size += count;
    const double term = count * log(entry.weight) - lost;
    const double next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  const double level = exponential(std::max(0.0, natural_log(size) - sum / size));
  const double whole = std::round(level);
  return std::abs(level - whole) <= kTolerance * whole ? whole : level;
}

}  // namespace

Level entropy_l_diversity(const ClassHistogram& histogram, Ticker& ticker) {
  const CountLogarithms log;
  return least_level(histogram, ticker, [&](std::int32_t c) {
    const double level = effective_values(histogram.entries(c), log, ticker);
    return histogram.has_units() ? std::min<double>(level, histogram.fewest_without_a_value(c) + 1)
                                 : level;
  });
}

}  // namespace anonkit
