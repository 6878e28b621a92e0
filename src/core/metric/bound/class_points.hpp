#pragma once

#include <cstdint>
#include <vector>

#include "base/at.hpp"
#include "base/record.hpp"
#include "base/ticker.hpp"
#include "metric/bound/point_groups.hpp"
#include "space/points.hpp"
#include "space/space.hpp"

namespace anonkit {

/// The points of a table, which are groups of equal records, and what classes of them lose.
///
/// Distances are squared, and a little smaller than computed, so that no error of theirs raises a
/// bound.
class ClassPoints {
 public:
  /// `largest` is the largest number of records in a class, and at most that of the space. Memory:
  /// `largest` numbers and as many neighbours for each point, and 16 MB at most for distances.
  ClassPoints(const Space& space, Record largest, Ticker& ticker);
  ClassPoints(const ClassPoints&) = delete;
  ClassPoints& operator=(const ClassPoints&) = delete;

  std::int32_t size() const { return points_.size(); }
  int dimension() const { return points_.dimension(); }
  Record weight(std::int32_t i) const { return points_.weight(i); }
  /// The point of each record.
  const std::vector<Record>& of_record() const { return of_record_; }
  double distance(std::int32_t i, std::int32_t j) const;
  const PointGroups& groups() const { return groups_; }
  /// Writes, by group, a distance that none of its points is nearer to point i than.
  void distances_of_groups(std::int32_t i, std::vector<double>& out) const;
  /// Its distances from all points, by number; null if the table has too many points for that.
  const double* distances(std::int32_t i) const {
    return between_.empty() ? nullptr : between_.data() + at(i) * at(size());
  }
  /// Points in ascending order of distance from i, which comes first, with `largest` records or
  /// more in all.
  const std::vector<std::int32_t>& nearest(std::int32_t i) const { return nearest_[at(i)]; }
  /// By point: the sum of the distances of a record's `others` nearest other records.
  const double* nearest_sums(Record others) const { return sums_.data() + at(others) * at(size()); }

 private:
  ClassPoints(const Space& space, Points points, Record largest, Ticker& ticker);
  void measure(Ticker& ticker);
  void find(Ticker& ticker);
  void sum_up(std::int32_t i);

  std::vector<Record> of_record_;
  Space points_;
  PointGroups groups_;
  Record largest_;
  std::vector<std::vector<std::int32_t>> nearest_;
  std::vector<double> between_;  ///< by two points; may be empty
  std::vector<double> sums_;     ///< by number of others, from 0, and point
};

}  // namespace anonkit
