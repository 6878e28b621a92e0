#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "base/ticker.hpp"
#include "risk/cells.hpp"
#include "space/index/spatial_index.hpp"

namespace anonkit {

/// The distinct points of the masked records, and the original records in the same space. A number
/// is the middle of its range, standardised by mean and deviation of the original ones. Categories
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

  /// True if every point has so many masked records.
  bool hold(std::int32_t records) const {
    return std::all_of(members_.begin(), members_.end(), [&](const auto& of_point) {
      return static_cast<std::int32_t>(of_point.size()) >= records;
    });
  }

  /// The nearest points of an original record: all points up to the least distance at which they
  /// hold at least `enough` masked records. Distances that differ in the last bits count as equal.
  /// Threads may share the points; each has a ticker of its own.
  void nearest(std::int32_t original, std::int32_t enough, std::vector<std::int32_t>& out,
               Ticker& ticker) const;

 private:
  std::int32_t points_ = 0;
  std::vector<std::int32_t> point_of_;
  std::vector<std::vector<std::int32_t>> members_;
  std::unique_ptr<Space> space_;  ///< points, then original records
  std::unique_ptr<SpatialIndex> index_;
};

}  // namespace anonkit
