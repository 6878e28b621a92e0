#include "method/repair/merging.hpp"

#include <memory>
#include <queue>
#include <utility>
#include <vector>

#include "base/at.hpp"
#include "space/centroid.hpp"
#include "space/index/centroid_index.hpp"

namespace anonkit {
namespace {

/// A merged class keeps the lower of both numbers, so numbers stay in the order of first records.
class Merging {
 public:
  Merging(const Space& space, Partition partition, ClassCondition& condition, Ticker& ticker)
      : condition_(condition),
        ticker_(ticker),
        partition_(std::move(partition)),
        centroids_(space, partition_.classes, ticker),
        centroid_(space),
        point_(static_cast<std::size_t>(space.dimension())) {
    members_.resize(static_cast<std::size_t>(partition_.classes));
    for (Record i = 0; i < space.size(); ++i) {
      ticker_.step(50);
      members_[at(partition_.class_of[at(i)])].push_back(i);
    }
    kept_.resize(members_.size());
    version_.resize(members_.size(), 0);
    for (ClassId c = 0; c < partition_.classes; ++c) {
      condition_.enter(c, RecordSpan(members_[at(c)]));
      enter(c);
    }
  }

  Partition run() {
    while (!queue_.empty()) {
      const Entry worst = queue_.top();
      queue_.pop();
      if (worst.version != version_[at(worst.id)]) continue;
      const ClassId nearest = centroids_.nearest(centroids_.point(worst.id), worst.id);
      if (nearest >= 0) merge(std::min(worst.id, nearest), std::max(worst.id, nearest));
    }
    set_classes(partition_, members_);
    return std::move(partition_);
  }

 private:
  struct Entry {
    double level;
    ClassId id;
    std::int32_t version;
    bool operator<(const Entry& other) const {
      return level < other.level || (level == other.level && id > other.id);
    }
  };

  void merge(ClassId into, ClassId from) {
    centroids_.remove(into);
    centroids_.remove(from);
    if (members_[at(into)].size() < members_[at(from)].size()) {
      std::swap(members_[at(into)], members_[at(from)]);
      std::swap(kept_[at(into)], kept_[at(from)]);
    }
    if (kept_[at(into)])
      for (const Record i : members_[at(from)]) kept_[at(into)]->add(i);
    kept_[at(from)].reset();
    members_[at(into)].insert(members_[at(into)].end(), members_[at(from)].begin(),
                              members_[at(from)].end());
    members_[at(from)] = {};
    condition_.merge(from, into);
    ++version_[at(from)];
    ++version_[at(into)];
    enter(into);
  }

  // Adds the class in its present state to the index, and to the queue if it violates the
  // condition.
  void enter(ClassId c) {
    const std::vector<Record>& members = members_[at(c)];
    ticker_.step(static_cast<std::int64_t>(members.size() * (10 + point_.size())));
    locate(c);
    centroids_.add(c, point_.data());
    double level = 0;
    if (!condition_.satisfied(c, RecordSpan(members), &level))
      queue_.push({level, c, version_[at(c)]});
  }

  // Large classes keep their sums, and a merger only adds the other class. Small classes, which are
  // numerous, are summed anew.
  void locate(ClassId c) {
    const std::vector<Record>& members = members_[at(c)];
    std::unique_ptr<Centroid>& kept = kept_[at(c)];
    if (!kept) {
      for (const Record i : members) centroid_.add(i);
      if (members.size() >= kLarge) kept = std::make_unique<Centroid>(centroid_);
      centroid_.point(point_.data());
      for (const Record i : members) centroid_.remove(i);
    } else {
      kept->point(point_.data());
    }
  }

  static constexpr std::size_t kLarge = 64;

  ClassCondition& condition_;
  Ticker& ticker_;
  Partition partition_;
  CentroidIndex centroids_;
  Centroid centroid_;
  std::vector<double> point_;
  std::vector<std::vector<Record>> members_;  ///< by class
  std::vector<std::unique_ptr<Centroid>> kept_;
  std::vector<std::int32_t> version_;  ///< of the class; older entries of the queue are invalid
  std::priority_queue<Entry> queue_;
};

/// Smallest first, so that classes that need many mergers grow at one pace.
class ConstraintCondition final : public ClassCondition {
 public:
  explicit ConstraintCondition(const Constraints& constraints) : constraints_(constraints) {}

  void enter(ClassId, const RecordSpan&) override {}
  void merge(ClassId, ClassId) override {}
  bool satisfied(ClassId, const RecordSpan& members, double* level) const override {
    *level = -static_cast<double>(members.size());
    return all_allow(constraints_, members);
  }

 private:
  const Constraints& constraints_;
};

}  // namespace

Partition merge_until_satisfied(const Space& space, Partition partition, ClassCondition& condition,
                                Ticker& ticker) {
  ticker.begin("merging classes", 0);
  return Merging(space, std::move(partition), condition, ticker).run();
}

Partition merge_until_allowed(const Space& space, Partition partition,
                              const Constraints& constraints, Ticker& ticker) {
  number_by_first_record(partition);
  if (all_allow(constraints, partition, ticker)) return partition;
  ConstraintCondition condition(constraints);
  return merge_until_satisfied(space, std::move(partition), condition, ticker);
}

bool all_allow(const Constraints& constraints, const Partition& partition, Ticker& ticker) {
  const Members members = members_of(partition);
  for (const RecordSpan of_class : members) {
    ticker.step(50 * std::int64_t{of_class.size()});
    if (!all_allow(constraints, of_class)) return false;
  }
  return true;
}

}  // namespace anonkit
