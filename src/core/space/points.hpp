#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Records that are alike, each group of them one point that weighs as much. Points are numbered by
/// their first record, so that where no two records are alike points are records.
struct Points {
  std::vector<Record> of_record;  ///< by record
  std::vector<Record> first;      ///< by point its first record
  std::vector<Record> weights;    ///< by point its records

  /// False if no two records are alike.
  bool fewer() const { return first.size() < of_record.size(); }
};

/// What records of one point have in common beside their coordinates: by record a code each.
using Marks = std::vector<const std::vector<std::int32_t>*>;

/// Records of equal coordinates and equal marks are one point. O(n d), times log n where equal
/// records do not follow one another.
Points points_of(const Space& space, const Marks& marks, Ticker& ticker);

/// The space of the points, weighted.
Space space_of(const Space& records, const Points& points);

/// Classes of points as classes of their records, numbered by first record, and the other way
/// round: no class of the records divides a point.
Partition to_records(const Points& points, const Partition& of_points);
Partition to_points(const Points& points, const Partition& of_records);

}  // namespace anonkit
