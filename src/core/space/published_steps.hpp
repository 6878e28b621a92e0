#pragma once

namespace anonkit {

/// The values that a numeric attribute can be published with, as coordinates: the origin plus any
/// whole number of steps. Step 0: any value.
struct PublishedSteps {
  double step = 0;
  double origin = 0;
  double per_unit = 0;  ///< 1 / step; 0 if any value can be published

  /// The squared distance from a mean to the nearest value that can be published.
  double excess(double mean) const {
    // Adding 1.5 * 2^52 leaves no digits after the point.
    constexpr double kNoFraction = 6755399441055744.0;
    const double place = (mean - origin) * per_unit;
    const double off = (place - ((place + kNoFraction) - kNoFraction)) * step;
    return off * off;
  }
};

}  // namespace anonkit
