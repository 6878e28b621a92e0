#include "space/sampled_scales.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace anonkit {
namespace {

struct Extent {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();

  double width() const { return largest - smallest; }
};

Extent extent_of(const CountedPoints& points, std::size_t j) {
  Extent extent;
  for (std::size_t i = 0; i < points.size(); ++i) {
    extent.smallest = std::min(extent.smallest, points.point(i)[j]);
    extent.largest = std::max(extent.largest, points.point(i)[j]);
  }
  return extent;
}

/// Values are taken as shares of the extent, whose squares neither overflow nor vanish.
Scale zscore_of(const CountedPoints& points, std::size_t j, const Extent& extent) {
  double records = 0, sum = 0, squares = 0;
  const auto share = [&](std::size_t i) {
    return (points.point(i)[j] - extent.smallest) / extent.width();
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto count = static_cast<double>(points.counts[i]);
    records += count;
    sum += count * share(i);
  }
  const double mean = sum / records;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double away = share(i) - mean;
    squares += static_cast<double>(points.counts[i]) * away * away;
  }
  return {extent.smallest + mean * extent.width(),
          std::sqrt(squares / (records - 1)) * extent.width()};
}

}  // namespace

std::vector<Scale> scales_of(const CountedPoints& points, const std::vector<std::string>& names,
                             Standardize standardize) {
  std::vector<Scale> scales(points.dimension);
  for (std::size_t j = 0; j < points.dimension; ++j) {
    const Extent extent = extent_of(points, j);
    require_finite_extent(names[j], extent.smallest, extent.largest);
    if (standardize == Standardize::none) continue;
    if (!(extent.smallest < extent.largest))
      scales[j] = {extent.smallest, 0};
    else if (standardize == Standardize::zscore)
      scales[j] = zscore_of(points, j, extent);
    else
      scales[j] = {extent.smallest, extent.width()};
  }
  return scales;
}

}  // namespace anonkit
