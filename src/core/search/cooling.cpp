#include "search/cooling.hpp"

#include "base/logarithm.hpp"

namespace anonkit {
namespace {

// The C library's exp and log are not rounded equally everywhere. Sums and products are, so
// temperatures and thresholds, and with them all decisions, are the same on every machine.
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

// The mid-points (i + 1/2) / 4096 of equal parts of (0, 1), so that no logarithm is of 0.
Threshold::Threshold() {
  table_.reserve(kEntries);
  for (std::uint64_t i = 0; i < kEntries; ++i)
    table_.push_back(-logarithm((static_cast<double>(i) + 0.5) / kEntries));
}

// T(i) = first * (last / first)^(i / (steps - 1)).
Cooling::Cooling(double first, double last, int steps) {
  // The ratio of neighbouring temperatures is close to 1, where the series converges fast.
  const double ratio = small_exp(logarithm(last / first) / (steps - 1));
  double temperature = first;
  for (int i = 0; i < steps; ++i, temperature *= ratio) temperatures_.push_back(temperature);
}

}  // namespace anonkit
