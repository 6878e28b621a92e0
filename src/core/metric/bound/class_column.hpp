#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/record.hpp"
#include "metric/bound/class_points.hpp"

namespace anonkit {

/// A class as a column of the linear program of set partitioning: so many records of each of some
/// points.
struct ClassColumn {
  struct Member {
    std::int32_t point;
    Record records;
  };
  std::vector<Member> members;  ///< by ascending point
  Record size = 0;
  double pairs = 0;  ///< the sum of the squared distances of all its unordered pairs

  /// The members have different points, in any order.
  ClassColumn(const ClassPoints& points, std::vector<Member> of_points)
      : members(std::move(of_points)) {
    std::sort(members.begin(), members.end(),
              [](const Member& a, const Member& b) { return a.point < b.point; });
    for (std::size_t a = 0; a < members.size(); ++a) {
      size += members[a].records;
      for (std::size_t b = 0; b < a; ++b)
        pairs += members[a].records * members[b].records *
                 points.distance(members[a].point, members[b].point);
    }
  }

  /// (loss - prices of the records) / size
  double excess(const std::vector<double>& prices) const {
    double paid = 0;
    for (const Member& one : members) paid += one.records * prices[at(one.point)];
    return (pairs / size - paid) / size;
  }
};

}  // namespace anonkit
