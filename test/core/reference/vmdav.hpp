#pragma once

// V-MDAV straight from the paper and the rules in method/growing/vmdav.hpp: every search is a scan.

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "partition/partition.hpp"
#include "space/centroid.hpp"
#include "space/space.hpp"

namespace anonkit {

class ReferenceVmdav {
 public:
  ReferenceVmdav(const Space& space, Record k, double gamma)
      : space_(space), k_(static_cast<std::size_t>(k)), gamma_(gamma) {
    for (Record i = 0; i < space.size(); ++i) left_.insert(i);
  }

  Partition run() {
    const std::vector<double> middle = centroid({left_.begin(), left_.end()});
    do {
      std::vector<Record> members = around(farthest(middle.data()));
      for (const Record i : members) left_.erase(i);
      extend(members);
      classes_.push_back(members);
    } while (left_.size() >= k_);
    distribute();
    Partition partition;
    partition.class_of.resize(static_cast<std::size_t>(space_.size()));
    for (const auto& members : classes_) {
      for (const Record i : members)
        partition.class_of[static_cast<std::size_t>(i)] = partition.classes;
      ++partition.classes;
    }
    number_by_first_record(partition);
    return partition;
  }

 private:
  double distance(Record i, Record j) const {
    return space_.squared_distance(space_.row(i), space_.row(j));
  }

  std::vector<double> centroid(const std::vector<Record>& records) const {
    Centroid sums(space_);
    for (const Record i : records) sums.add(i);
    std::vector<double> point(static_cast<std::size_t>(space_.dimension()));
    sums.point(point.data());
    return point;
  }

  Record farthest(const double* x) const {
    Record best = *left_.begin();
    for (const Record i : left_)
      if (space_.squared_distance(space_.row(i), x) > space_.squared_distance(space_.row(best), x))
        best = i;
    return best;
  }

  std::vector<Record> around(Record seed) const {
    std::vector<Record> records(left_.begin(), left_.end());
    std::stable_sort(records.begin(), records.end(),
                     [&](Record a, Record b) { return distance(a, seed) < distance(b, seed); });
    records.resize(std::min(records.size(), k_));
    return records;
  }

  void extend(std::vector<Record>& members) {
    while (members.size() < 2 * k_ - 1 && !left_.empty() && left_.size() != k_) {
      double in = std::numeric_limits<double>::infinity(), out = in;
      Record candidate = -1;
      for (const Record i : left_)
        for (const Record member : members)
          if (distance(i, member) < in) {
            in = distance(i, member);
            candidate = i;
          }
      for (const Record i : left_)
        if (i != candidate) out = std::min(out, distance(i, candidate));
      if (!(in < gamma_ * gamma_ * out)) return;
      members.push_back(candidate);
      left_.erase(candidate);
    }
  }

  void distribute() {
    std::vector<std::vector<double>> centroids;
    for (const auto& members : classes_) centroids.push_back(centroid(members));
    for (const Record i : left_) {
      std::size_t best = classes_.size();
      for (std::size_t c = 0; c < classes_.size(); ++c) {
        if (classes_[c].size() == 2 * k_ - 1) continue;
        if (best == classes_.size() ||
            space_.squared_distance(space_.row(i), centroids[c].data()) <
                space_.squared_distance(space_.row(i), centroids[best].data()))
          best = c;
      }
      classes_[best].push_back(i);
    }
  }

  const Space& space_;
  std::size_t k_;
  double gamma_;
  std::set<Record> left_;
  std::vector<std::vector<Record>> classes_;
};

}  // namespace anonkit
