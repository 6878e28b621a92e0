#pragma once

// The least loss of any partition into classes of at least k records, by enumeration: for up to
// twenty records.

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "partition/partition.hpp"
#include "space/centroid.hpp"
#include "space/space.hpp"

namespace anonkit::reference {

/// Squares about the centroid of some records, in a space of their own.
inline double sse_of(const Space& space, unsigned members) {
  std::vector<double> values;
  const int d = space.dimension();
  Partition partition;
  for (Record i = 0; i < space.size(); ++i)
    partition.class_of.push_back((members >> i & 1) ? 0 : 1);
  partition.classes = 2;
  const Members lists = members_of(partition);
  Centroid centroid(space);
  for (Record m = lists.first_of[0]; m < lists.first_of[1]; ++m)
    centroid.add(lists.records[static_cast<std::size_t>(m)]);
  std::vector<double> point(static_cast<std::size_t>(d));
  centroid.point(point.data());
  double sum = 0;
  for (Record m = lists.first_of[0]; m < lists.first_of[1]; ++m)
    sum +=
        space.squared_distance(space.row(lists.records[static_cast<std::size_t>(m)]), point.data());
  return sum;
}

/// The least sum of the losses of classes, over all partitions into classes of at least k records
/// that satisfy `allowed`. Classes are bit sets of records. Infinity without such a partition.
inline double least_loss(int n, int k, const std::function<double(unsigned)>& loss,
                         const std::function<bool(unsigned)>& allowed) {
  const unsigned all = (1U << n) - 1;
  std::vector<double> of_class(all + 1, -1),
      least(all + 1, std::numeric_limits<double>::infinity());
  for (unsigned members = 1; members <= all; ++members)
    if (__builtin_popcount(members) >= k && allowed(members)) of_class[members] = loss(members);
  least[0] = 0;
  for (unsigned rest = 1; rest <= all; ++rest) {
    const unsigned first = rest & -rest;
    const unsigned others = rest ^ first;
    // Tries every class with the lowest record left.
    for (unsigned more = others;; more = (more - 1) & others) {
      const unsigned members = more | first;
      if (of_class[members] >= 0)
        least[rest] = std::min(least[rest], of_class[members] + least[rest ^ members]);
      if (more == 0) break;
    }
  }
  return least[all];
}

/// The least SSE under k-anonymity alone.
inline double least_sse(const Space& space, int k) {
  return least_loss(
      space.size(), k, [&](unsigned members) { return sse_of(space, members); },
      [](unsigned) { return true; });
}

}  // namespace anonkit::reference
