#include "method/repair/uniting.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/at.hpp"
#include "method/repair/merging.hpp"
#include "space/centroid.hpp"
#include "space/index/centroid_index.hpp"

namespace anonkit {
namespace {

constexpr std::size_t kNearClasses = 16;
// The mean number of records per point from which on many share one.
constexpr std::size_t kManyAlike = 4;

class Uniting {
 public:
  Uniting(const Space& space, Partition partition, const Constraints& constraints, Ticker& ticker)
      : space_(space),
        constraints_(constraints),
        ticker_(ticker),
        partition_(std::move(partition)),
        centroids_(space, partition_.classes + 1, ticker),
        centroid_(space),
        members_(at(partition_.classes)) {
    for (Record i = 0; i < space.size(); ++i) {
      const ClassId c = partition_.class_of[at(i)];
      (c == kNone ? homeless_ : members_[at(c)]).push_back(i);
    }
    for (ClassId c = 0; c < partition_.classes; ++c) locate(c);
  }

  Partition run() {
    place_homeless();
    for (ClassId c = 0; c < partition_.classes; ++c)
      if (!members_[at(c)].empty() && !allowed(members_[at(c)])) unite(c);
    set_classes(partition_, members_);
    return std::move(partition_);
  }

 private:
  void place_homeless() {
    std::vector<Record> left;
    for (const Record i : homeless_)
      if (!join(i)) left.push_back(i);
    if (left.empty()) return;
    members_.push_back(std::move(left));
    locate(partition_.classes++);
  }

  bool join(Record i) {
    for (const ClassId c : centroids_.nearest(space_.row(i), kNearClasses, -1)) {
      std::vector<Record>& members = members_[at(c)];
      members.push_back(i);
      if (allowed(members)) return true;
      members.pop_back();
    }
    return false;
  }

  void unite(ClassId c) {
    const std::vector<Record>& mine = members_[at(c)];
    for (const ClassId other : centroids_.nearest(centroids_.point(c), kNearClasses, c)) {
      std::vector<Record>& theirs = members_[at(other)];
      theirs.insert(theirs.end(), mine.begin(), mine.end());
      if (allowed(theirs)) {
        centroids_.remove(c);
        members_[at(c)] = {};
        centroids_.remove(other);
        locate(other);
        return;
      }
      theirs.resize(theirs.size() - mine.size());
    }
  }

  bool allowed(const std::vector<Record>& members) const {
    ticker_.step(static_cast<std::int64_t>(50 * members.size()));
    return all_allow(constraints_, RecordSpan(members));
  }

  void locate(ClassId c) {
    const std::vector<Record>& members = members_[at(c)];
    std::vector<double> point(at(space_.dimension()));
    for (const Record i : members) centroid_.add(i);
    centroid_.point(point.data());
    for (const Record i : members) centroid_.remove(i);
    ticker_.step(static_cast<std::int64_t>(members.size() * (10 + point.size())));
    centroids_.add(c, point.data());
  }

  const Space& space_;
  const Constraints& constraints_;
  Ticker& ticker_;
  Partition partition_;
  CentroidIndex centroids_;
  Centroid centroid_;                         ///< empty between calls
  std::vector<std::vector<Record>> members_;  ///< by class
  std::vector<Record> homeless_;
};

}  // namespace

Partition unite_until_allowed(const Space& space, Partition partition,
                              const Constraints& constraints, Ticker& ticker) {
  number_by_first_record(partition);
  const auto& class_of = partition.class_of;
  if (std::find(class_of.begin(), class_of.end(), kNone) == class_of.end() &&
      all_allow(constraints, partition, ticker))
    return partition;
  ticker.begin("repairing classes", 0);
  partition = Uniting(space, std::move(partition), constraints, ticker).run();
  return merge_until_allowed(space, std::move(partition), constraints, ticker);
}

bool many_share(const Points& points) {
  return kManyAlike * points.first.size() <= points.of_record.size();
}

}  // namespace anonkit
