#include "partition/mdav.hpp"

#include <utility>
#include <vector>

#include "data/centroid.hpp"
#include "index/farthest_from_centroid.hpp"
#include "index/spatial_index.hpp"

namespace anonkit {

namespace {

class Mdav {
 public:
  Mdav(const Space& space, std::vector<Record> records, Record k, Ticker& ticker)
      : space_(space),
        k_(k),
        ticker_(ticker),
        index_(space, std::move(records), ticker),
        farthest_(space, index_, ticker),
        left_(space),
        centroid_(static_cast<std::size_t>(space.dimension())) {
    partition_.class_of.assign(static_cast<std::size_t>(space.size()), kSuppressed);
    for (const Record i : index_.records()) left_.add(i);
  }

  Mdav(const Space& space, Record k, Ticker& ticker)
      : space_(space),
        k_(k),
        ticker_(ticker),
        index_(space, ticker),
        farthest_(space, index_, ticker),
        left_(space),
        centroid_(static_cast<std::size_t>(space.dimension())) {
    partition_.class_of.resize(static_cast<std::size_t>(space.size()));
    for (Record i = 0; i < space.size(); ++i) left_.add(i);
  }

  Partition run() {
    while (index_.size() / 3 >= k_) {
      const Record r = farthest_from_centroid();
      const Record s = index_.farthest(space_.row(r)).record;
      form_class(space_.row(r), k_);
      form_class(space_.row(s), k_);
    }
    if (index_.size() / 2 >= k_) form_class(space_.row(farthest_from_centroid()), k_);
    if (index_.size() > 0) form_class(centroid_.data(), index_.size());
    number_by_first_record(partition_);
    return std::move(partition_);
  }

 private:
  Record farthest_from_centroid() {
    left_.point(centroid_.data());
    return farthest_.find(centroid_.data()).record;
  }

  void form_class(const double* x, Record size) {
    index_.nearest(x, size, members_);
    for (const Neighbour& member : members_) {
      partition_.class_of[static_cast<std::size_t>(member.record)] = partition_.classes;
      left_.remove(member.record);
    }
    ++partition_.classes;
    index_.remove(members_);
    ticker_.advance(size);
  }

  const Space& space_;
  Record k_;
  Ticker& ticker_;
  SpatialIndex index_;
  FarthestFromCentroid farthest_;
  Centroid left_;  ///< of the records without a class
  std::vector<double> centroid_;
  std::vector<Neighbour> members_;
  Partition partition_;
};

}  // namespace

Partition mdav(const Space& space, Record k, Ticker& ticker) {
  ticker.begin("mdav", space.size());
  return Mdav(space, k, ticker).run();
}

Partition mdav(const Space& space, std::vector<Record> records, Record k, Ticker& ticker) {
  ticker.begin("mdav", static_cast<std::int64_t>(records.size()));
  return Mdav(space, std::move(records), k, ticker).run();
}

}  // namespace anonkit
