#include "method/tcloseness/repair.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "base/at.hpp"
#include "space/centroid.hpp"
#include "space/index/centroid_index.hpp"

namespace anonkit {
namespace {

constexpr std::size_t kNearby = 8;

class Repair {
 public:
  Repair(const Space& space, const Closeness& closeness, Partition* partition, Ticker& ticker)
      : space_(space),
        closeness_(closeness),
        ticker_(ticker),
        class_of_(partition->class_of),
        centroids_(space, partition->classes, ticker),
        members_(at(partition->classes)),
        values_(at(partition->classes)) {
    for (Record i = 0; i < space.size(); ++i) members_[at(class_of_[at(i)])].push_back(i);
    Centroid centroid(space);
    std::vector<double> point(at(space.dimension()));
    for (ClassId c = 0; c < partition->classes; ++c) {
      ticker.step(static_cast<std::int64_t>(members_[at(c)].size()) * 200);
      closeness_.collect(RecordSpan(members_[at(c)]), &values_[at(c)]);
      for (const Record i : members_[at(c)]) centroid.add(i);
      centroid.point(point.data());
      for (const Record i : members_[at(c)]) centroid.remove(i);
      centroids_.add(c, point.data());
    }
  }

  std::int64_t run() {
    std::vector<std::pair<double, ClassId>> broken;
    for (ClassId c = 0; c < static_cast<ClassId>(values_.size()); ++c)
      if (!closeness_.close(values_[at(c)]))
        broken.emplace_back(-closeness_.level(values_[at(c)]), c);
    std::sort(broken.begin(), broken.end());
    for (const auto& [level, c] : broken) {
      const std::vector<ClassId> others = centroids_.nearest(centroids_.point(c), kNearby, c);
      while (!closeness_.close(values_[at(c)]) && swap(c, others)) ++swaps_;
    }
    return swaps_;
  }

 private:
  /// The order of swaps: those that make the class t-close first; then by level, distance and
  /// records.
  using Merit = std::tuple<double, double, Record, Record>;

  bool swap(ClassId c, const std::vector<ClassId>& others) {
    const double level = closeness_.level(values_[at(c)]);
    Merit best{level, 0, 0, 0};
    for (const ClassId other : others) {
      ticker_.step(static_cast<std::int64_t>(members_[at(other)].size()) * values_[at(c)].size *
                   50);
      for (const Record in : members_[at(other)]) {
        if (!closeness_.may_improve(values_[at(c)], in)) continue;
        for (const Record out : members_[at(c)]) consider(c, other, out, in, &best);
      }
    }
    if (!(std::get<0>(best) < level)) return false;
    exchange(c, std::get<2>(best), std::get<3>(best));
    return true;
  }

  void consider(ClassId c, ClassId other, Record out, Record in, Merit* best) {
    const Closeness::Values& here = values_[at(c)];
    const Closeness::Values& there = values_[at(other)];
    closeness_.exchanged(here, out, in, &cost_);
    const double level =
        closeness_.close(cost_, here.size) ? -1 : closeness_.level(cost_, here.size);
    if (!(level <= std::get<0>(*best))) return;
    const Merit merit{level, space_.squared_distance(space_.row(out), space_.row(in)), out, in};
    if (!(merit < *best)) return;
    closeness_.exchanged(there, in, out, &cost_);
    if (closeness_.close(cost_, there.size) ||
        (!closeness_.close(there) &&
         closeness_.level(cost_, there.size) <= closeness_.level(there)))
      *best = merit;
  }

  void exchange(ClassId c, Record out, Record in) {
    const ClassId other = class_of_[at(in)];
    closeness_.exchange(out, in, &values_[at(c)]);
    closeness_.exchange(in, out, &values_[at(other)]);
    std::replace(members_[at(c)].begin(), members_[at(c)].end(), out, in);
    std::replace(members_[at(other)].begin(), members_[at(other)].end(), in, out);
    class_of_[at(in)] = c;
    class_of_[at(out)] = other;
  }

  const Space& space_;
  const Closeness& closeness_;
  Ticker& ticker_;
  std::vector<ClassId>& class_of_;
  CentroidIndex centroids_;
  std::vector<std::vector<Record>> members_;
  std::vector<Closeness::Values> values_;
  std::vector<Emd::Wide> cost_;
  std::int64_t swaps_ = 0;
};

}  // namespace

std::int64_t repair_by_swaps(const Space& space, const Closeness& closeness, Partition* partition,
                             Ticker& ticker) {
  return Repair(space, closeness, partition, ticker).run();
}

}  // namespace anonkit
