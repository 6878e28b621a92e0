#include "metric/bound/point_groups.hpp"

#include <algorithm>
#include <limits>

#include "metric/bound/halved_blocks.hpp"
#include "space/index/metric_kernels.hpp"

namespace anonkit {
namespace {

constexpr Record kPointsOfGroup = 16;
constexpr double kFarOut = std::numeric_limits<double>::infinity();

}  // namespace

PointGroups::PointGroups(const Space& points, Ticker& ticker) : points_(points) {
  for (const std::vector<Record>& group : cut_into_blocks(points, kPointsOfGroup, ticker)) {
    begins_.push_back(static_cast<std::int32_t>(point_at_.size()));
    point_at_.insert(point_at_.end(), group.begin(), group.end());
    add_box(group);
  }
  begins_.push_back(static_cast<std::int32_t>(point_at_.size()));
}

// Boxes are stored by eight, and those that are missing at the end hold no point.
void PointGroups::add_box(const std::vector<Record>& points) {
  const std::size_t group = begins_.size() - 1, d = at(points_.dimension());
  const std::size_t family = group / kSiblings, sibling = group % kSiblings;
  if (sibling == 0)
    for (std::size_t j = 0; j < d; ++j) {
      boxes_.insert(boxes_.end(), kSiblings, kFarOut);
      boxes_.insert(boxes_.end(), kSiblings, -kFarOut);
    }
  for (std::size_t j = 0; j < d; ++j) {
    double* const low = &boxes_[(family * d + j) * 2 * kSiblings + sibling];
    double* const high = low + kSiblings;
    for (const Record point : points) {
      *low = std::min(*low, points_.row(point)[j]);
      *high = std::max(*high, points_.row(point)[j]);
    }
  }
}

void PointGroups::distances(const double* x, std::vector<double>& out) const {
  const std::size_t families = (at(size()) + kSiblings - 1) / kSiblings;
  out.resize(families * kSiblings);
  with_kernels(points_, [&](const auto& kernels) {
    for (std::size_t family = 0; family < families; ++family)
      kernels.nearest_bounds(x, &boxes_[family * at(points_.dimension()) * 2 * kSiblings],
                             &out[family * kSiblings]);
  });
}

}  // namespace anonkit
