#include "space/index/metric_kernels.hpp"

#include <limits>

namespace anonkit {

// The bound of the header with m = |x-c| / R: the last term is (1+1/m) |x-c|^2 = |x-c| (|x-c| + R),
// and a = c - (x-c)/m. Without a direction, (R + |x-c|)^2 = R^2 + |x-c| (|x-c| + 2R). The margin is
// a multiple of the sum of all magnitudes, as rounding errors are.
FarthestBound::FarthestBound(const Space& space, const double* c, const double* x, double reach)
    : centre(c) {
  const double roundings = 4 * (space.dimension() + 8) * std::numeric_limits<double>::epsilon();
  // An allowance for squares that underflow.
  constexpr double kUnderflow = 1e-150;
  factor = 1 + roundings;
  drift = std::sqrt(space.squared_distance(x, centre)) + kUnderflow;
  const double radius = std::sqrt(reach) + kUnderflow;
  double magnitude = 0;  // of all numbers in the sums
  if (drift > 1e-12 * radius) {
    curvature = drift / radius;
    constant = drift * (drift + radius);
    antipode = -1 / curvature;
    for (int j = 0; j < space.dimension(); ++j)
      magnitude += 4 * drift * (std::fabs(centre[j]) + radius);
  } else {
    // The direction is lost in rounding, so the bound assumes any.
    constant = drift * (drift + 2 * radius);
  }
  magnitude += constant + (1 + curvature) * radius * radius;
  constant += magnitude * roundings;
  known = std::isfinite(constant);
}

}  // namespace anonkit
