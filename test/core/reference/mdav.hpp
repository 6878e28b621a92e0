#pragma once

// MDAV straight from the paper: every search scans all records left. Property tests compare with
// it, and the benchmark uses it as the baseline.

#include <algorithm>
#include <vector>

#include "partition/partition.hpp"
#include "space/centroid.hpp"
#include "space/space.hpp"

namespace anonkit {

class ReferenceMdav {
 public:
  /// With fresh sums, every search sums the centroid of the records left anew.
  ReferenceMdav(const Space& space, Record k, bool fresh_sums)
      : space_(space), k_(k), fresh_sums_(fresh_sums), running_(space) {
    for (Record i = 0; i < space.size(); ++i) {
      left_.push_back(i);
      running_.add(i);
    }
    partition_.class_of.resize(left_.size());
  }

  Partition run() {
    const auto k = static_cast<std::size_t>(k_);
    while (left_.size() >= 3 * k) {
      const Record r = farthest(centroid().data());
      const Record s = farthest(space_.row(r));
      form_class(space_.row(r), k);
      form_class(space_.row(s), k);
    }
    if (left_.size() >= 2 * k) form_class(space_.row(farthest(centroid().data())), k);
    if (!left_.empty()) form_class(space_.row(left_.front()), left_.size());
    number_by_first_record(partition_);
    return partition_;
  }

 private:
  std::vector<double> centroid() const {
    std::vector<double> point(static_cast<std::size_t>(space_.dimension()));
    if (!fresh_sums_) {
      running_.point(point.data());
      return point;
    }
    Centroid fresh(space_);
    for (const Record i : left_) fresh.add(i);
    fresh.point(point.data());
    return point;
  }

  Record farthest(const double* x) const {
    Record best = -1;
    double distance = -1;
    for (const Record i : left_) {
      const double here = space_.squared_distance(space_.row(i), x);
      if (here > distance) {
        distance = here;
        best = i;
      }
    }
    return best;
  }

  /// The `size` records left nearest to x, ties to the lower record.
  void form_class(const double* x, std::size_t size) {
    std::vector<std::pair<double, Record>> nearest;  // a heap, the farthest on top
    for (const Record i : left_) {
      const std::pair<double, Record> here{space_.squared_distance(space_.row(i), x), i};
      if (nearest.size() == size) {
        if (!(here < nearest.front())) continue;
        std::pop_heap(nearest.begin(), nearest.end());
        nearest.pop_back();
      }
      nearest.push_back(here);
      std::push_heap(nearest.begin(), nearest.end());
    }
    std::vector<Record> members;
    for (const auto& [distance, i] : nearest) members.push_back(i);
    std::sort(members.begin(), members.end());
    for (const Record i : members) {
      partition_.class_of[static_cast<std::size_t>(i)] = partition_.classes;
      running_.remove(i);
    }
    ++partition_.classes;
    std::vector<Record> others;
    std::set_difference(left_.begin(), left_.end(), members.begin(), members.end(),
                        std::back_inserter(others));
    left_ = std::move(others);
  }

  const Space& space_;
  Record k_;
  bool fresh_sums_;
  Centroid running_;
  std::vector<Record> left_;
  Partition partition_;
};

inline Partition reference_mdav(const Space& space, Record k, bool fresh_sums = true) {
  return ReferenceMdav(space, k, fresh_sums).run();
}

}  // namespace anonkit
