#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "space/space.hpp"

namespace anonkit {

/// Groups of equal records, each as one weighted point. Points are numbered by their first record,
/// so points equal records if all records are distinct.
struct Points {
  std::vector<Record> of_record;  ///< by record
  std::vector<Record> first;      ///< by point: its first record
  std::vector<Record> weights;    ///< by point: the number of its records

  /// True if some records share a point.
  bool fewer() const { return first.size() < of_record.size(); }
};

/// Codes that records of one point share beside their coordinates: one code per record.
using Marks = std::vector<const std::vector<std::int32_t>*>;

/// Records of equal coordinates and equal marks become one point. O(n d), times log n where equal
/// records are not adjacent.
Points points_of(const Space& space, const Marks& marks, Ticker& ticker);

/// Records of equal coordinates, equal marks and one class become one point, so that no class
/// divides a point. Without marks each record is a point of its own.
Points points_in_classes(const Space& space, const Partition& partition,
                         const std::optional<Marks>& marks, Ticker& ticker);

/// The records of each point, ascending. O(n).
Members members_of(const Points& points);

/// The weighted space of the points.
Space space_of(const Space& records, const Points& points);

/// Converts classes of points to classes of their records, numbered by first record. O(n).
Partition to_records(const Points& points, const Partition& of_points);
/// Converts classes of records, which must not divide a point, to classes of points. O(n).
Partition to_points(const Points& points, const Partition& of_records);

}  // namespace anonkit
