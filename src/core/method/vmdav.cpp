#include "method/vmdav.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "space/centroid.hpp"
#include "space/index/spatial_index.hpp"

namespace anonkit {

namespace {

class Vmdav {
 public:
  Vmdav(const Space& space, Record k, double gamma, Ticker& ticker)
      : space_(space),
        k_(k),
        gamma_squared_(gamma * gamma),
        ticker_(ticker),
        index_(space, ticker),
        left_(space.records()),
        centroid_(static_cast<std::size_t>(space.dimension())) {
    partition_.class_of.resize(static_cast<std::size_t>(space.size()));
  }

  Partition run() {
    Centroid all(space_);
    for (Record i = 0; i < space_.size(); ++i) all.add(i);
    all.point(centroid_.data());
    do {
      const Record seed = index_.farthest_from_centre(centroid_.data()).record;
      index_.nearest_weighing(space_.row(seed), std::min(k_, left_), members_);
      index_.remove(members_);
      size_ = 0;
      for (const Neighbour& member : members_) count(member);
      extend_class();
      close_class();
    } while (left_ >= k_);
    distribute_the_last();
    number_by_first_record(partition_);
    return std::move(partition_);
  }

 private:
  void count(const Neighbour& member) {
    size_ += space_.weight(member.record);
    left_ -= space_.weight(member.record);
  }

  /// True if the records left without the candidate could not form a class, or if it is too heavy.
  bool is_barred(Record candidate) const {
    const Record weight = space_.weight(candidate);
    return size_ + weight > 2 * k_ - 1 || (left_ >= k_ && left_ - weight < k_);
  }

  void extend_class() {
    nearest_to_.clear();
    for (const Neighbour& member : members_) nearest_to_.push_back(nearest_to(member.record));
    while (index_.size() > 0) {
      const Neighbour candidate = *std::min_element(nearest_to_.begin(), nearest_to_.end(), nearer);
      if (is_barred(candidate.record) ||
          !(candidate.distance < gamma_squared_ * distance_to_others(candidate.record)))
        return;
      index_.remove(candidate);
      count(candidate);
      members_.push_back(candidate);
      nearest_to_.push_back({0, candidate.record});
      for (std::size_t i = 0; i < members_.size(); ++i)
        if (nearest_to_[i].record == candidate.record)
          nearest_to_[i] = nearest_to(members_[i].record);
    }
  }

  Neighbour nearest_to(Record member) const { return index_.nearest(space_.row(member)); }

  /// d_out squared: from a record to the nearest other one without a class.
  double distance_to_others(Record i) {
    index_.nearest(space_.row(i), 2, others_);
    for (const Neighbour& other : others_)
      if (other.record != i) return other.distance;
    return std::numeric_limits<double>::infinity();
  }

  void close_class() {
    Centroid of_class(space_);
    for (const Neighbour& member : members_) {
      partition_.class_of[static_cast<std::size_t>(member.record)] = partition_.classes;
      of_class.add(member.record);
    }
    centroids_.resize(centroids_.size() + centroid_.size());
    of_class.point(centroids_.data() + centroids_.size() - centroid_.size());
    sizes_.push_back(of_class.size());
    ++partition_.classes;
    ticker_.advance(of_class.size());
  }

  void distribute_the_last() {
    for (const Record i : index_.records()) {
      const Record weight = space_.weight(i);
      std::size_t best = nearest_class(i, 2 * k_ - 1 - weight);
      if (best == sizes_.size()) best = nearest_class(i, std::numeric_limits<Record>::max());
      partition_.class_of[static_cast<std::size_t>(i)] = static_cast<ClassId>(best);
      sizes_[best] += weight;
    }
  }

  /// The nearest among the classes of at most `most` records; sizes_.size() without one.
  std::size_t nearest_class(Record i, Record most) const {
    std::size_t best = sizes_.size();
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < sizes_.size(); ++c) {
      if (sizes_[c] > most) continue;
      const double distance =
          space_.squared_distance(space_.row(i), centroids_.data() + c * centroid_.size());
      if (best == sizes_.size() || distance < nearest) {
        best = c;
        nearest = distance;
      }
    }
    ticker_.step(static_cast<std::int64_t>(centroids_.size()));
    return best;
  }

  const Space& space_;
  Record k_;
  double gamma_squared_;
  Ticker& ticker_;
  SpatialIndex index_;
  Record left_;      ///< records without a class
  Record size_ = 0;  ///< of the current class, in records
  std::vector<double> centroid_;
  std::vector<Neighbour> members_;     ///< of the current class
  std::vector<Neighbour> nearest_to_;  ///< by member: its nearest record without a class
  std::vector<Neighbour> others_;
  std::vector<double> centroids_;  ///< of the classes, contiguous
  std::vector<Record> sizes_;
  Partition partition_;
};

}  // namespace

Partition vmdav(const Space& space, Record k, double gamma, Ticker& ticker) {
  ticker.begin("vmdav", space.size());
  return Vmdav(space, k, gamma, ticker).run();
}

}  // namespace anonkit
