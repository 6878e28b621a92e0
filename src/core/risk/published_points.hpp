#pragma once

#include <memory>
#include <vector>

#include "base/ticker.hpp"
#include "risk/cells.hpp"
#include "space/index/spatial_index.hpp"

namespace anonkit {

/// The distinct points that masked records lie on, and original records beside them: numbers by
/// the middle of their range, standardised by mean and deviation of the original ones; categories
/// that differ are 1 apart. An index finds the nearest points of an original record.
class PublishedPoints {
 public:
  PublishedPoints(const CellsPair& pair, Ticker& ticker);

  std::int32_t points() const { return points_; }
  /// The point of a masked record.
  std::int32_t point_of(std::int32_t masked) const {
    return point_of_[static_cast<std::size_t>(masked)];
  }
  /// The masked records of a point.
  const std::vector<std::int32_t>& members(std::int32_t point) const {
    return members_[static_cast<std::size_t>(point)];
  }

  /// All points at the least distance from an original record at which, with those nearer, they
  /// hold `enough` masked records or more; and those nearer. Distances that differ in the last bits
  /// are equal.
  void nearest(std::int32_t original, std::int32_t enough, std::vector<std::int32_t>& out) const;

 private:
  std::int32_t points_ = 0;
  std::vector<std::int32_t> point_of_;
  std::vector<std::vector<std::int32_t>> members_;
  std::unique_ptr<Space> space_;  ///< points, then original records
  std::unique_ptr<SpatialIndex> index_;
};

}  // namespace anonkit
