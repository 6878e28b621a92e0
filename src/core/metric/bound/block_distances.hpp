#pragma once

#include <cstdint>
#include <vector>

#include "base/at.hpp"
#include "base/ticker.hpp"
#include "space/index/spatial_index.hpp"
#include "space/space.hpp"

namespace anonkit {

/// The squared distances that a block's bound is made of, in whole units, rounded down: sums of
/// them are exact, and prices in the same units cancel exactly. Distances beyond kFarthest count as
/// that. All roundings are downwards, so a bound made of them is a bound.
class BlockDistances {
 public:
  static constexpr std::int32_t kFarthest = 1 << 28;

  /// `unit` is the squared distance of one unit, above 0. `everybody` indexes all records, and is
  /// null if the block has all of them; of the records outside, each record knows the `outside`
  /// nearest.
  BlockDistances(const Space& space, const std::vector<Record>& block, double unit,
                 const SpatialIndex* everybody, Record outside, Ticker& ticker);

  std::int32_t size() const { return size_; }
  std::int32_t between(std::int32_t i, std::int32_t j) const { return row(i)[j]; }
  const std::int32_t* row(std::int32_t i) const { return between_.data() + at(i) * at(size_); }
  /// From record i to the nearest records outside of the block, ascending; none if there are none.
  const std::vector<std::int32_t>& outside(std::int32_t i) const { return outside_[at(i)]; }
  bool has_outside() const { return !outside_.front().empty(); }
  /// To the nearest record outside; kFarthest if there is none.
  std::int32_t nearest_outside(std::int32_t i) const {
    return has_outside() ? outside(i).front() : kFarthest;
  }

 private:
  std::int32_t size_;
  std::vector<std::int32_t> between_;
  std::vector<std::vector<std::int32_t>> outside_;
};

}  // namespace anonkit
