#pragma once

#include <cmath>

namespace anonkit {

/// The power of two next below a magnitude, and 1 for 0. Division by it is exact. Numbers of at
/// most that magnitude are below 2 then, so that their differences, squares and sums do not
/// overflow.
inline double power_below(double magnitude) {
  return magnitude > 0 ? std::ldexp(1.0, std::ilogb(magnitude)) : 1;
}

}  // namespace anonkit
