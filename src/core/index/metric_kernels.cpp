#include "index/metric_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace anonkit {

FarthestBound::FarthestBound(const std::vector<double>& origin, const double* x,
                             const double* boxes, const double* reach)
    : slope(origin.size()), corner(origin.size()) {
  double magnitude = *reach;
  for (std::size_t j = 0; j < origin.size(); ++j, boxes += 2 * kSiblings) {
    const double u = x[j] - origin[j];
    slope[j] = -2 * u;
    corner[j] = slope[j] < 0 ? 0 : kSiblings;
    constant += u * u + 2 * u * origin[j];
    const double largest = std::max(std::fabs(boxes[0]), std::fabs(boxes[kSiblings]));
    magnitude += u * u + 2 * std::fabs(u) * (std::fabs(origin[j]) + largest);
  }
  // Every number in the sums is below `magnitude`, and so is every distance.
  const auto roundings = static_cast<double>(4 * (origin.size() + 8));
  constant += magnitude * roundings * std::numeric_limits<double>::epsilon() + 1e-300;
}

}  // namespace anonkit
