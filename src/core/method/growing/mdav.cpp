#include "method/growing/mdav.hpp"

#include <utility>
#include <vector>

#include "method/growing/growing.hpp"

namespace anonkit {

namespace {

// In tables of more records, the seeds of a start need not be the farthest.
constexpr Record kMany = 100000;
constexpr double kStretchOfMany = 2;

class Mdav {
 public:
  Mdav(const Space& space, UnassignedRecords& left, Record k) : space_(space), left_(left), k_(k) {}

  Record seed() {
    const Record s = pair_.second();
    // A heavy point may have left too few records for two more classes.
    if (s != kNone && !is_last()) return s;
    if (left_.size() / 3 >= k_) return pair_.first(left_);
    if (!is_last()) return left_.farthest_from_centroid();
    return left_.size() >= k_ || (left_.size() > 0 && left_.classes() == 0) ? 0 : kNone;
  }

  void grow(Record seed) {
    // The last class takes all records left, whichever record they are nearest to.
    left_.index().nearest_weighing(space_.row(seed), is_last() ? left_.size() : k_, members_);
    left_.take(members_);
  }

 private:
  bool is_last() const { return left_.size() / 2 < k_; }

  const Space& space_;
  UnassignedRecords& left_;
  Record k_;
  FarthestPair pair_;
  std::vector<Neighbour> members_;
};

Partition grown(const Space& space, UnassignedRecords left, Record k, Ticker& ticker) {
  Mdav rule(space, left, k);
  grow_classes(left, rule, ticker);
  Partition partition = left.partition();
  // With heavy points fewer than k records may be left.
  join_nearest(space, left.index().records(), kUnlimited, partition, ticker);
  return partition;
}

}  // namespace

Partition mdav(const Space& space, Record k, Ticker& ticker, double stretch) {
  ticker.begin("mdav", space.size());
  UnassignedRecords left(space, ticker);
  left.stretch_seeds(stretch);
  return grown(space, std::move(left), k, ticker);
}

Partition mdav(const Space& space, const std::vector<Record>& records, Record k, Ticker& ticker) {
  ticker.begin("mdav", static_cast<std::int64_t>(records.size()));
  return grown(space, UnassignedRecords(space, records, ticker), k, ticker);
}

double stretch_of_start(Record table_records) {
  return table_records > kMany ? kStretchOfMany : 1;
}

}  // namespace anonkit
