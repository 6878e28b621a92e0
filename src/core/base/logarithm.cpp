#include "base/logarithm.hpp"

#include <cmath>

namespace anonkit {

// With x = 2^e m and m near 1, log x = e log 2 + 2 artanh((m-1)/(m+1)). frexp is exact, and IEEE
// 754 fixes the results of the four operations.
double logarithm(double x) {
  constexpr double kLog2 = 0.69314718055994530942, kHalfRoot = 0.70710678118654752440;
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < kHalfRoot) {
    m *= 2;
    --exponent;
  }
  const double z = (m - 1) / (m + 1), square = z * z;  // |z| < 0.172
  double power = z, sum = 0;
  for (int i = 1; i <= 23; i += 2) {
    sum += power / i;
    power *= square;
  }
  return exponent * kLog2 + 2 * sum;
}

}  // namespace anonkit
