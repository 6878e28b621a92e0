#include "search/cooling.hpp"

#include <cmath>

namespace anonkit {
namespace {

constexpr double kLog2 = 0.693147180559945309417;

// e^x for |x| <= 1 by its series.
double small_exp(double x) {
  double term = 1, sum = 1;
  for (int i = 1; i < 24; ++i) {
    term *= x / i;
    sum += term;
  }
  return sum;
}

}  // namespace

double portable_log(double x) {
  int exponent = 0;
  const double m = std::frexp(x, &exponent);     // exact
  const double z = (m - 0.75) / (m + 0.75);      // |z| <= 1/5
  const double base = -0.287682072451780927439;  // ln(3/4)
  double power = z, sum = 0;
  for (int i = 1; i < 26; i += 2) {
    sum += power / i;
    power *= z * z;
  }
  return exponent * kLog2 + base + 2 * sum;
}

Threshold::Threshold() {
  table_.reserve(kEntries);
  for (std::uint64_t i = 0; i < kEntries; ++i)
    table_.push_back(-portable_log((static_cast<double>(i) + 0.5) / kEntries));
}

Cooling::Cooling(double first, double last, int steps) {
  // The ratio of neighbouring temperatures is close to 1, where the series converges at once.
  const double ratio = steps > 1 ? small_exp(portable_log(last / first) / (steps - 1)) : 1;
  double temperature = first;
  for (int i = 0; i < steps; ++i, temperature *= ratio) temperatures_.push_back(temperature);
}

}  // namespace anonkit
