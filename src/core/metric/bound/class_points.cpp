#include "metric/bound/class_points.hpp"

#include <algorithm>
#include <utility>

#include "metric/bound/margin.hpp"
#include "space/index/spatial_index.hpp"

namespace anonkit {
namespace {

// Fewer points have a table of their distances, of some 16 MB at most.
constexpr std::int32_t kTabled = 1450;

}  // namespace

ClassPoints::ClassPoints(const Space& space, Record largest, Ticker& ticker)
    : ClassPoints(space, points_of(space, {}, ticker), largest, ticker) {}

ClassPoints::ClassPoints(const Space& space, Points points, Record largest, Ticker& ticker)
    : of_record_(std::move(points.of_record)),
      points_(space_of(space, points)),
      groups_(points_, ticker),
      largest_(largest) {
  nearest_.resize(at(size()));
  sums_.assign(at(size()) * at(largest), 0);
  if (size() <= kTabled) measure(ticker);
  find(ticker);
}

double ClassPoints::distance(std::int32_t i, std::int32_t j) const {
  return points_.squared_distance(points_.row(i), points_.row(j)) * (1 - kErrorOfDistance);
}

void ClassPoints::distances_of_groups(std::int32_t i, std::vector<double>& out) const {
  groups_.distances(points_.row(i), out);
  for (double& distance : out) distance *= 1 - kErrorOfDistance;
}

void ClassPoints::measure(Ticker& ticker) {
  std::vector<double> between(at(size()) * at(size()));
  for (std::int32_t i = 0; i < size(); ++i) {
    ticker.step(std::int64_t{i} * dimension());
    for (std::int32_t j = 0; j < i; ++j)
      between[at(i) * at(size()) + at(j)] = between[at(j) * at(size()) + at(i)] = distance(i, j);
  }
  between_ = std::move(between);
}

void ClassPoints::find(Ticker& ticker) {
  const SpatialIndex index(points_, ticker);
  std::vector<Neighbour> found;
  for (std::int32_t i = 0; i < size(); ++i) {
    index.nearest(points_.row(i), std::min(largest_, size()), found);
    // No point but i is at distance 0.
    Record records = 0;
    for (const Neighbour& one : found) {
      if (records >= largest_) break;
      nearest_[at(i)].push_back(one.record);
      records += weight(one.record);
    }
    sum_up(i);
    ticker.step(std::int64_t{largest_} * dimension() * 8);
  }
}

void ClassPoints::sum_up(std::int32_t i) {
  Record others = std::min(weight(i), largest_);  // sums for fewer are 0
  for (const std::int32_t j : nearest_[at(i)]) {
    if (j == i) continue;
    for (Record copy = 0; copy < weight(j) && others < largest_; ++copy, ++others)
      sums_[at(others) * at(size()) + at(i)] =
          sums_[at(others - 1) * at(size()) + at(i)] + distance(i, j);
  }
}

}  // namespace anonkit
