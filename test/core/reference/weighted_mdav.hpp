#pragma once

// MDAV of points that represent several records each and are never divided, by plain scans.

#include <algorithm>
#include <utility>
#include <vector>

#include "partition/partition.hpp"
#include "space/centroid.hpp"
#include "space/space.hpp"

namespace anonkit {

class ReferenceWeightedMdav {
 public:
  ReferenceWeightedMdav(const Space& space, Record k) : space_(space), k_(k) {
    for (Record i = 0; i < space.size(); ++i) left_.push_back(i);
    partition_.class_of.resize(left_.size());
  }

  Partition run() {
    while (records(left_) >= 3 * k_) {
      const Record r = farthest(centroid(left_));
      const Record s = farthest(row(r));
      form_class(row(r), k_);
      if (records(left_) < 2 * k_) break;
      form_class(row(s), k_);
    }
    if (records(left_) >= 2 * k_) form_class(row(farthest(centroid(left_))), k_);
    if (records(left_) >= k_ || classes_.empty()) {
      if (!left_.empty()) classes_.push_back(std::exchange(left_, {}));
    }
    // All points choose before any joins.
    std::vector<std::size_t> joined;
    for (const Record i : left_) joined.push_back(nearest_class(i));
    for (std::size_t at = 0; at < left_.size(); ++at) classes_[joined[at]].push_back(left_[at]);
    for (const std::vector<Record>& members : classes_) {
      for (const Record i : members)
        partition_.class_of[static_cast<std::size_t>(i)] = partition_.classes;
      ++partition_.classes;
    }
    number_by_first_record(partition_);
    return partition_;
  }

 private:
  using Point = std::vector<double>;

  Point row(Record i) const { return {space_.row(i), space_.row(i) + space_.dimension()}; }

  Record records(const std::vector<Record>& points) const {
    Record sum = 0;
    for (const Record i : points) sum += space_.weight(i);
    return sum;
  }

  Point centroid(const std::vector<Record>& points) const {
    Centroid sum(space_);
    for (const Record i : points) sum.add(i);
    Point point(static_cast<std::size_t>(space_.dimension()));
    sum.point(point.data());
    return point;
  }

  double distance(Record i, const Point& x) const {
    return space_.squared_distance(space_.row(i), x.data());
  }

  Record farthest(const Point& x) const {
    return *std::min_element(left_.begin(), left_.end(), [&](Record a, Record b) {
      return std::make_pair(-distance(a, x), a) < std::make_pair(-distance(b, x), b);
    });
  }

  void form_class(const Point& x, Record enough) {
    std::sort(left_.begin(), left_.end(), [&](Record a, Record b) {
      return std::make_pair(distance(a, x), a) < std::make_pair(distance(b, x), b);
    });
    std::size_t count = 0;
    for (Record sum = 0; sum < enough; ++count) sum += space_.weight(left_[count]);
    const auto end = left_.begin() + static_cast<std::ptrdiff_t>(count);
    classes_.emplace_back(left_.begin(), end);
    left_.erase(left_.begin(), end);
  }

  /// Ties go to the class with the lower first record.
  std::size_t nearest_class(Record i) const {
    std::size_t best = 0;
    const auto key = [&](std::size_t c) {
      return std::make_pair(distance(i, centroid(classes_[c])),
                            *std::min_element(classes_[c].begin(), classes_[c].end()));
    };
    for (std::size_t c = 1; c < classes_.size(); ++c)
      if (key(c) < key(best)) best = c;
    return best;
  }

  const Space& space_;
  Record k_;
  std::vector<Record> left_;
  std::vector<std::vector<Record>> classes_;
  Partition partition_;
};

inline Partition reference_weighted_mdav(const Space& space, Record k) {
  return ReferenceWeightedMdav(space, k).run();
}

}  // namespace anonkit
