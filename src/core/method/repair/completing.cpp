#include "method/repair/completing.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/at.hpp"
#include "partition/classes.hpp"
#include "search/loss/sse_loss.hpp"
#include "space/centroid.hpp"
#include "space/index/spatial_index.hpp"

namespace anonkit {
namespace {

// A class looks at so many near records, and at so many of its own to swap for one of them.
constexpr Record kNearby = 32;
constexpr std::size_t kOwn = 16;
constexpr std::int64_t kWorkOfMember = 30;

class Completing {
 public:
  Completing(const Space& space, const Partition& partition, Record k, const Points& points,
             const Constraints& constraints, Ticker& ticker)
      : space_(space),
        k_(k),
        points_(points),
        of_points_(members_of(points)),
        given_(points.first.size(), 0),
        constraints_(pointers(constraints)),
        ticker_(ticker),
        classes_(partition, ticker),
        loss_(space),
        centroid_(space),
        center_(at(space.dimension())) {
    loss_.begin(classes_.ids());
    for (Constraint* constraint : constraints_) constraint->begin(classes_.ids());
    for (ClassId c = 0; c < classes_.ids(); ++c) {
      const RecordSpan members = classes_.members(c);
      loss_.assign(c, members);
      for (Constraint* constraint : constraints_) constraint->assign(c, members);
      rejected_.push_back(!allowed(members));
    }
  }

  std::vector<ClassId> run() {
    const auto rejected = std::count(rejected_.begin(), rejected_.end(), true);
    if (rejected == 0 || 2 * rejected > classes_.ids()) return classes_.class_of();
    const SpatialIndex index(space_, points_.first, ticker_);
    for (ClassId c = 0; c < classes_.ids(); ++c)
      if (rejected_[at(c)]) complete(c, index);
    return classes_.class_of();
  }

 private:
  /// A record that enters the class, and one that leaves it for the other's class, or kNone.
  struct Exchange {
    Record in = kNone, out = kNone;
    double cost = std::numeric_limits<double>::infinity();
  };

  void complete(ClassId c, const SpatialIndex& index) {
    for (const Record i : classes_.members(c)) centroid_.add(i);
    centroid_.point(center_.data());
    for (const Record i : classes_.members(c)) centroid_.remove(i);
    index.nearest(center_.data(), kNearby, near_,
                  [&](Record first) { return can_give(points_.of_record[at(first)]); });
    list_own(c);
    Exchange best;
    for (const Neighbour& found : near_) {
      const Record other = next_of(points_.of_record[at(found.record)]);
      if (classes_.size(classes_.of(other)) > k_) consider({other, kNone}, c, best);
      for (const Record own : own_) consider({other, own}, c, best);
    }
    if (best.in != kNone) exchange(best, c);
  }

  /// Lists records of the class, one of each point.
  void list_own(ClassId c) {
    own_.clear();
    for (const Record i : classes_.members(c)) {
      const auto is_listed = [&](Record other) {
        return points_.of_record[at(other)] == points_.of_record[at(i)];
      };
      if (own_.size() == kOwn) break;
      if (std::none_of(own_.begin(), own_.end(), is_listed)) own_.push_back(i);
    }
  }

  /// The point's next record to give, if there is one.
  Record next_of(Record point) const {
    return of_points_.records[at(of_points_.first_of[at(point)] + given_[at(point)])];
  }
  bool can_give(Record point) const {
    return given_[at(point)] < points_.weights[at(point)] &&
           !rejected_[at(classes_.of(next_of(point)))];
  }

  void consider(Exchange candidate, ClassId c, Exchange& best) const {
    const ClassId other = classes_.of(candidate.in);
    const Change here{c, classes_.members(c), candidate.out, candidate.in};
    const Change there{other, classes_.members(other), candidate.in, candidate.out};
    ticker_.step(kWorkOfMember * (space_.dimension() + 2));
    candidate.cost = loss_.delta(here) + loss_.delta(there);
    if (!(candidate.cost < best.cost) || !allowed(there) || !completes(here)) return;
    best = candidate;
  }

  // Constraints answer for changes of allowed classes only, so the members are listed.
  bool completes(const Change& change) const {
    members_.clear();
    for_each_after(change, [&](Record i) { members_.push_back(i); });
    return allowed(RecordSpan(members_));
  }

  void exchange(const Exchange& found, ClassId c) {
    const ClassId other = classes_.of(found.in);
    announce({c, classes_.members(c), found.out, found.in});
    announce({other, classes_.members(other), found.in, found.out});
    classes_.move(found.in, c);
    if (found.out != kNone) classes_.move(found.out, other);
    rejected_[at(c)] = false;
    ++given_[at(points_.of_record[at(found.in)])];
  }

  void announce(const Change& change) {
    loss_.apply(change);
    for (Constraint* constraint : constraints_) constraint->apply(change);
  }

  template <class Question>
  bool allowed(const Question& question) const {
    return std::all_of(constraints_.begin(), constraints_.end(),
                       [&](const Constraint* c) { return c->allows(question); });
  }

  const Space& space_;
  Record k_;
  const Points& points_;
  Members of_points_;
  std::vector<Record> given_;  ///< by point: its first records, so many, have left their class
  std::vector<Constraint*> constraints_;
  Ticker& ticker_;
  Classes classes_;
  SseLoss loss_;
  Centroid centroid_;  ///< empty between calls
  std::vector<double> center_;
  std::vector<bool> rejected_;  ///< by class
  std::vector<Neighbour> near_;
  std::vector<Record> own_;
  mutable std::vector<Record> members_;
};

}  // namespace

Partition complete_classes(const Space& space, Partition partition, Record k,
                           const std::optional<Marks>& alike, const Constraints& constraints,
                           Ticker& ticker) {
  number_by_first_record(partition);
  const std::vector<ClassId>& class_of = partition.class_of;
  if (constraints.empty() || std::find(class_of.begin(), class_of.end(), kNone) != class_of.end())
    return partition;
  ticker.begin("repairing classes", 0);
  const Points points = points_in_classes(space, partition, alike, ticker);
  partition.class_of = Completing(space, partition, k, points, constraints, ticker).run();
  number_by_first_record(partition);
  return partition;
}

}  // namespace anonkit
