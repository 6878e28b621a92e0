#include "partition/tcloseness/k_first.hpp"

#include <utility>
#include <vector>

#include "data/centroid.hpp"
#include "index/farthest_from_centroid.hpp"
#include "index/spatial_index.hpp"

namespace anonkit {
namespace {

class KFirst {
 public:
  KFirst(const Space& space, Record k, const Closeness& closeness, Ticker& ticker)
      : space_(space),
        k_(k),
        closeness_(closeness),
        ticker_(ticker),
        index_(space, ticker),
        farthest_(space, index_, ticker),
        left_(space),
        centroid_(static_cast<std::size_t>(space.dimension())) {
    partition_.class_of.resize(static_cast<std::size_t>(space.size()));
    for (Record i = 0; i < space.size(); ++i) left_.add(i);
  }

  Partition run() {
    while (index_.size() > 0) {
      left_.point(centroid_.data());
      const Record x0 = farthest_.find(centroid_.data()).record;
      generate_cluster(x0);
      if (index_.size() > 0) generate_cluster(index_.farthest(space_.row(x0)).record);
    }
    number_by_first_record(partition_);
    return std::move(partition_);
  }

 private:
  void generate_cluster(Record seed) {
    const double* x = space_.row(seed);
    const bool last = index_.size() / 2 < k_;
    index_.nearest(x, last ? index_.size() : k_, members_);
    if (!last) refine(x);
    for (const Neighbour& member : members_) {
      partition_.class_of[static_cast<std::size_t>(member.record)] = partition_.classes;
      left_.remove(member.record);
    }
    ++partition_.classes;
    index_.remove(members_);
    ticker_.advance(static_cast<std::int64_t>(members_.size()));
  }

  // The next record that can lower the EMD lies beyond all that were looked at: those can not, or
  // are or have been members.
  void refine(const double* x) {
    collect();
    Neighbour reached = members_.back();
    const std::int64_t work = 20 * values_.size;
    const SpatialIndex::Filter improves = [&](Record y) {
      ticker_.step(work);
      return nearer(reached, {space_.squared_distance(space_.row(y), x), y}) &&
             closeness_.may_improve(values_, y);
    };
    while (!closeness_.close(values_)) {
      const Neighbour y = index_.nearest(x, improves);
      if (y.record < 0) return;
      reached = y;
      replace_by(y);
    }
  }

  void collect() {
    records_.clear();
    for (const Neighbour& member : members_) records_.push_back(member.record);
    closeness_.collect(Group(records_), &values_);
  }

  void replace_by(const Neighbour& y) {
    Neighbour* leaving = nullptr;
    double least = closeness_.level(values_);
    for (Neighbour& member : members_) {
      closeness_.exchanged(values_, member.record, y.record, &cost_);
      const double level = closeness_.level(cost_, values_.size);
      if (level >= least) continue;
      least = level;
      leaving = &member;
    }
    if (leaving == nullptr) return;
    closeness_.exchange(leaving->record, y.record, &values_);
    *leaving = y;
  }

  const Space& space_;
  Record k_;
  const Closeness& closeness_;
  Ticker& ticker_;
  SpatialIndex index_;
  FarthestFromCentroid farthest_;
  Centroid left_;  ///< of the records without a cluster
  std::vector<double> centroid_;
  std::vector<Neighbour> members_;
  std::vector<Record> records_;
  Closeness::Values values_;
  std::vector<Emd::Wide> cost_;
  Partition partition_;
};

}  // namespace

Partition k_first(const Space& space, Record k, const Closeness& closeness, Ticker& ticker) {
  ticker.begin("k-anonymity-first", space.size());
  return KFirst(space, k, closeness, ticker).run();
}

}  // namespace anonkit
