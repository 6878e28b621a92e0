#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "risk/cells.hpp"
#include "space/index/spatial_index.hpp"

namespace anonkit {

/// The distinct points of the masked records, and the original records in the same space. A number
/// is the middle of its range, standardised by mean and deviation of the original ones. Categories
/// that differ are 1 apart. A null is at the mean, and 1 apart from numbers in a dimension of its
/// own. An index finds the nearest points of an original record.
class PublishedPoints {
 public:
  PublishedPoints(const CellsPair& pair, int threads, Ticker& ticker);

  /// The point of a masked record.
  std::int32_t point_of(std::int32_t masked) const {
    return point_of_[static_cast<std::size_t>(masked)];
  }
  /// The masked records of a point.
  RecordSpan members(std::int32_t point) const {
    return members_.of(static_cast<std::size_t>(point));
  }

  /// True if every point has so many masked records.
  bool hold(std::int32_t records) const {
    return std::all_of(members_.begin(), members_.end(),
                       [&](const RecordSpan& of_point) { return of_point.size() >= records; });
  }

  /// The original records, near ones next to each other: their searches visit the same part of the
  /// index, which is in the processor's cache then.
  const std::vector<std::int32_t>& order() const { return order_; }

  /// The nearest points of an original record, ascending: all points up to the least distance at
  /// which they hold at least `enough` masked records. Distances that differ in the last bits count
  /// as equal. The search is the faster, the nearer the points are that `out` has at first, such as
  /// those of the record before. Threads may share the points; each has a ticker of its own.
  void nearest(std::int32_t original, std::int32_t enough, std::vector<std::int32_t>& out,
               Ticker& ticker) const;

 private:
  double within(const double* x, std::int32_t enough, const std::vector<std::int32_t>& known) const;
  Record points() const { return static_cast<Record>(members_.classes()); }

  std::vector<std::int32_t> point_of_;
  Members members_;
  std::unique_ptr<Space> space_;  ///< points, then original records
  std::unique_ptr<SpatialIndex> index_;
  std::vector<std::int32_t> order_;
};

}  // namespace anonkit
