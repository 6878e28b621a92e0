#pragma once

#include <cmath>

namespace anonkit {

/// The rounding that levels of privacy models allow where they are not exact fractions: an entropy
/// may be that much below log l, and shares of a variance are rounded to as many decimals.
/// Constraints use half of it for entropies, so rounding never makes the judge refuse a class that
/// a constraint allowed.
constexpr double kTolerance = 1e-12;

/// Rounded to the tolerance, so that 3/10 as a fraction is the double 0.3.
inline double rounded_level(double level) {
  constexpr double kDecimals = 1e12;
  return std::round(level * kDecimals) / kDecimals;
}

}  // namespace anonkit
