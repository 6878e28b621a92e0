#include "method/tcloseness/k_first.hpp"

#include <vector>

#include "method/growing/unassigned_records.hpp"
#include "space/index/spatial_index.hpp"

namespace anonkit {
namespace {

class KFirst {
 public:
  KFirst(const Space& space, Record k, const Closeness& closeness, Ticker& ticker)
      : space_(space), k_(k), closeness_(closeness), ticker_(ticker), remaining_(space, ticker) {}

  Partition run() {
    while (remaining_.size() > 0) {
      const Record x0 = remaining_.farthest_from_centroid();
      generate_cluster(x0);
      if (remaining_.size() > 0) generate_cluster(remaining_.farthest_from(x0));
    }
    return remaining_.partition();
  }

 private:
  void generate_cluster(Record seed) {
    const double* x = space_.row(seed);
    const bool last = remaining_.size() / 2 < k_;
    remaining_.index().nearest(x, last ? remaining_.size() : k_, members_);
    if (!last) refine(x);
    remaining_.form_class(members_);
    ticker_.advance(static_cast<std::int64_t>(members_.size()));
  }

  // The next record that can lower the EMD lies beyond all records visited. These cannot lower it,
  // or are or were members.
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
      const Neighbour y = remaining_.index().nearest(x, improves);
      if (y.record < 0) return;
      reached = y;
      replace_by(y);
    }
  }

  void collect() {
    records_.clear();
    for (const Neighbour& member : members_) records_.push_back(member.record);
    closeness_.collect(RecordSpan(records_), &values_);
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
  UnassignedRecords remaining_;  ///< without a cluster
  std::vector<Neighbour> members_;
  std::vector<Record> records_;
  Closeness::Values values_;
  std::vector<Emd::Wide> cost_;
};

}  // namespace

Partition k_first(const Space& space, Record k, const Closeness& closeness, Ticker& ticker) {
  ticker.begin("k-anonymity-first", space.size());
  return KFirst(space, k, closeness, ticker).run();
}

}  // namespace anonkit
