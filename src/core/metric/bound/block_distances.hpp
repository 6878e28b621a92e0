#pragma once

#include <cstdint>
#include <vector>

#include "base/at.hpp"
#include "base/ticker.hpp"
#include "space/index/spatial_index.hpp"
#include "space/space.hpp"

namespace anonkit {

/// The squared distances for a block's bound, as integers in a unit. Sums are exact, and prices in
/// the same unit cancel exactly. Distances beyond kFarthest count as kFarthest. All roundings are
/// downwards, so a bound on these distances is a bound on the true ones.
class BlockDistances {
 public:
  static constexpr std::int32_t kFarthest = 1 << 28;

  /// `unit` is the squared distance of one unit, above 0. `everybody` indexes all records, and is
  /// null if the block has all of them. Each record stores its `outside` nearest records outside
  /// the block.
  BlockDistances(const Space& space, const std::vector<Record>& block, double unit,
                 const SpatialIndex* everybody, Record outside, Ticker& ticker);

  std::int32_t size() const { return size_; }
  std::int32_t between(std::int32_t i, std::int32_t j) const { return row(i)[j]; }
  const std::int32_t* row(std::int32_t i) const { return between_.data() + at(i) * at(size_); }
  /// The distances from record i to the nearest records outside the block, ascending; may be empty.
  const std::vector<std::int32_t>& outside(std::int32_t i) const { return outside_[at(i)]; }
  bool has_outside() const { return !outside_.front().empty(); }
  /// The distance to the nearest record outside; kFarthest without one.
  std::int32_t nearest_outside(std::int32_t i) const {
    return has_outside() ? outside(i).front() : kFarthest;
  }

 private:
  std::int32_t size_;
  std::vector<std::int32_t> between_;
  std::vector<std::vector<std::int32_t>> outside_;
};

}  // namespace anonkit
