#include "method/growing/vmdav.hpp"

#include <algorithm>
#include <vector>

#include "method/growing/growing.hpp"

namespace anonkit {

namespace {

class Vmdav {
 public:
  Vmdav(const Space& space, UnassignedRecords& left, Record k, double gamma)
      : space_(space), left_(left), k_(k), gamma_(gamma) {
    left.keep_centroid();
  }

  Record seed() {
    return left_.size() >= k_ || left_.classes() == 0 ? left_.farthest_from_centroid() : kNone;
  }

  void grow(Record seed) {
    left_.index().nearest_weighing(space_.row(seed), std::min(k_, left_.size()), members_);
    left_.take(members_);
    extend_class(
        space_, left_, gamma_, [this](Record i) { return is_barred(i); },
        [this](const Neighbour& next) { left_.take({next}); });
  }

 private:
  /// True if the records left without the candidate could not form a class, or if it is too heavy.
  bool is_barred(Record candidate) const {
    const Record weight = space_.weight(candidate);
    return left_.class_size() + weight > 2 * k_ - 1 ||
           (left_.size() >= k_ && left_.size() - weight < k_);
  }

  const Space& space_;
  UnassignedRecords& left_;
  Record k_;
  double gamma_;
  std::vector<Neighbour> members_;
};

}  // namespace

Partition vmdav(const Space& space, Record k, double gamma, Ticker& ticker) {
  ticker.begin("vmdav", space.size());
  UnassignedRecords left(space, ticker);
  Vmdav rule(space, left, k, gamma);
  grow_classes(left, rule, ticker);
  Partition partition = left.formed();
  join_nearest(space, left.index().records(), 2 * k - 1, partition, ticker);
  return partition;
}

}  // namespace anonkit
