#include "metric/bound/block_distances.hpp"

#include <algorithm>

#include "metric/bound/margin.hpp"

namespace anonkit {
namespace {

// floor(d (1 - e) / unit): an error of the computed distance must not raise the bound.
std::int32_t units(double distance, double unit) {
  const double whole = distance / unit * (1 - kErrorOfDistance);
  return whole < BlockDistances::kFarthest ? static_cast<std::int32_t>(whole)
                                           : BlockDistances::kFarthest;
}

}  // namespace

// A class may have members in other blocks. A record's nearest records outside the block stand for
// them: no partner there can cost less, so the bound holds for classes across blocks, too.
BlockDistances::BlockDistances(const Space& space, const std::vector<Record>& block, double unit,
                               const SpatialIndex* everybody, Record outside, Ticker& ticker)
    : size_(static_cast<std::int32_t>(block.size())),
      between_(block.size() * block.size()),
      outside_(block.size()) {
  std::vector<Neighbour> found;
  for (std::int32_t i = 0; i < size_; ++i) {
    const double* row = space.row(block[at(i)]);
    ticker.step(std::int64_t{i} * space.dimension());
    for (std::int32_t j = 0; j < i; ++j)
      between_[at(i) * at(size_) + at(j)] = between_[at(j) * at(size_) + at(i)] =
          units(space.squared_distance(row, space.row(block[at(j)])), unit);
    if (everybody == nullptr) continue;
    everybody->nearest(row, outside, found, [&](Record other) {
      return !std::binary_search(block.begin(), block.end(), other);
    });
    for (const Neighbour& one : found) outside_[at(i)].push_back(units(one.distance, unit));
  }
}

}  // namespace anonkit
