#pragma once

#include <optional>
#include <vector>

#include "base/options.hpp"
#include "partition/partition.hpp"
#include "promise/promised.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "space/points.hpp"
#include "space/space.hpp"

namespace anonkit {

/// The sensitive values as codes in which records of one point agree.
Marks marks_of(const std::vector<SensitiveAttribute>& attributes);

/// The points that a search moves, its classes of them, and its constraints on these.
class SearchedPoints {
 public:
  /// Records share a point if they agree in all coordinates, in all codes of `alike`, and in their
  /// class, so no class of the start divides a point. The codes must tell all that constraints know
  /// of records. Where there are any, a fast search has points of several records only in classes
  /// that lose nothing, those at one place: in the others a record may have to leave alone. A
  /// thorough one has the time to divide these, too. Without `alike` each record is a point. O(n
  /// d), times log n where equal records are not adjacent.
  SearchedPoints(const Space& space, const Partition& start, const std::optional<Marks>& alike,
                 const std::vector<Constraint*>& constraints, Effort effort, Ticker& ticker);
  SearchedPoints(const SearchedPoints&) = delete;
  SearchedPoints& operator=(const SearchedPoints&) = delete;

  /// True if points represent several records.
  bool fewer() const { return points_.fewer(); }
  const Points& points() const { return points_; }
  /// On points. They refer to this and to the constraints on records.
  const std::vector<Constraint*>& constraints() const { return constraints_; }

 private:
  Points points_;
  Members records_;  ///< by point
  Constraints on_points_;
  std::vector<Constraint*> constraints_;
};

}  // namespace anonkit
