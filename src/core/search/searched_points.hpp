#pragma once

#include <cstdint>
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

/// How a search without constraints moves the records of a class that are equal to it. Together
/// they move sooner; apart they can fill classes that lack a few records.
enum class Equals : std::uint8_t { together, apart };

/// The points that a search moves, its classes of them, and its constraints on these.
class SearchedPoints {
 public:
  /// Records share a point if they agree in all coordinates, in all codes of `alike`, and in their
  /// class. The codes must cover everything that the constraints know about a record. Without
  /// `alike` each record is a point.
  ///
  /// Under constraints, a fast search joins records only in classes whose records all have the same
  /// coordinates, since a record of any other class may have to move alone. A thorough search joins
  /// none. Without constraints, all or none are joined, as `equals` says. Cost: O(n d), times log n
  /// where equal records are not adjacent.
  SearchedPoints(const Space& space, const Partition& start, const std::optional<Marks>& alike,
                 const std::vector<Constraint*>& constraints, Effort effort, Ticker& ticker,
                 Equals equals = Equals::together);
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
