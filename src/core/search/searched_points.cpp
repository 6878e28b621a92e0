#include "search/searched_points.hpp"

#include <algorithm>

#include "base/at.hpp"
#include "promise/point_constraint.hpp"

namespace anonkit {
namespace {

/// A code per record that is its own in classes of several places, and else the same for all.
std::vector<std::int32_t> own_codes(const Space& space, const Partition& partition) {
  std::vector<Record> first(at(partition.classes), kNone);
  std::vector<bool> several(at(partition.classes), false);
  for (Record i = 0; i < space.size(); ++i) {
    const ClassId c = partition.class_of[at(i)];
    Record& one = first[at(c)];
    if (one == kNone) one = i;
    const double *x = space.row(one), *y = space.row(i);
    if (!std::equal(x, x + space.dimension(), y)) several[at(c)] = true;
  }
  std::vector<std::int32_t> codes(at(space.size()), kNone);
  for (Record i = 0; i < space.size(); ++i)
    if (several[at(partition.class_of[at(i)])]) codes[at(i)] = i;
  return codes;
}

// Fewer points make a faster search with fewer changes to choose from. With marks of values, a fast
// search gives records of mixed classes a mark of their own, which keeps them apart.
Points points_of(const Space& space, const Partition& start, const std::optional<Marks>& alike,
                 Effort effort, Equals equals, Ticker& ticker) {
  const bool valued = alike && !alike->empty();
  const bool apart = valued ? effort == Effort::thorough : equals == Equals::apart;
  if (apart) return points_in_classes(space, start, {}, ticker);
  if (!valued) return points_in_classes(space, start, alike, ticker);
  Marks marks = *alike;
  const std::vector<std::int32_t> own = own_codes(space, start);
  marks.push_back(&own);
  return points_in_classes(space, start, marks, ticker);
}

}  // namespace

Marks marks_of(const std::vector<SensitiveAttribute>& attributes) {
  Marks marks;
  for (const SensitiveAttribute& attribute : attributes) marks.push_back(&attribute.ranks);
  return marks;
}

// Constraints know records, the search moves points: on_points translates one into the other.
SearchedPoints::SearchedPoints(const Space& space, const Partition& start,
                               const std::optional<Marks>& alike,
                               const std::vector<Constraint*>& constraints, Effort effort,
                               Ticker& ticker, Equals equals)
    : points_(points_of(space, start, alike, effort, equals, ticker)), constraints_(constraints) {
  if (!fewer() || constraints.empty()) return;
  records_ = members_of(points_);
  on_points_ = on_points(constraints, records_);
  constraints_ = pointers(on_points_);
}

}  // namespace anonkit
