#pragma once

#include <cstdint>
#include <vector>

#include "base/at.hpp"
#include "base/ticker.hpp"
#include "space/space.hpp"

namespace anonkit {

/// The points of a space in groups of some ten neighbours, with the boxes that these fill. A place
/// is a point's position in the order of the groups.
class PointGroups {
 public:
  /// O(n log n).
  PointGroups(const Space& points, Ticker& ticker);

  std::int32_t size() const { return static_cast<std::int32_t>(begins_.size()) - 1; }
  /// The places of a group.
  std::int32_t begin(std::int32_t group) const { return begins_[at(group)]; }
  std::int32_t end(std::int32_t group) const { return begins_[at(group) + 1]; }
  /// The point at a place.
  std::int32_t point(std::int32_t place) const { return point_at_[at(place)]; }

  /// Writes, by group, a squared distance from x that no point of the group is nearer than.
  void distances(const double* x, std::vector<double>& out) const;

 private:
  void add_box(const std::vector<Record>& points);

  const Space& points_;
  std::vector<std::int32_t> begins_;  ///< and the end
  std::vector<std::int32_t> point_at_;
  std::vector<double> boxes_;  ///< see metric_kernels.hpp
};

}  // namespace anonkit
