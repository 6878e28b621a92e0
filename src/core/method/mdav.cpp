#include "method/mdav.hpp"

#include <limits>
#include <utility>
#include <vector>

#include "method/repair/unassigned_records.hpp"
#include "space/centroid.hpp"

namespace anonkit {

namespace {

class Mdav {
 public:
  Mdav(const Space& space, UnassignedRecords remaining, Record k, Ticker& ticker)
      : space_(space), k_(k), ticker_(ticker), remaining_(std::move(remaining)) {}

  Partition run() {
    while (remaining_.size() / 3 >= k_) {
      const Record r = remaining_.farthest_from_centroid();
      const Record s = remaining_.farthest_from(r);
      form_class(r, k_);
      // A heavy point may have left too few records for two more classes.
      if (remaining_.size() / 2 < k_) break;
      form_class(s, k_);
    }
    if (remaining_.size() / 2 >= k_) form_class(remaining_.farthest_from_centroid(), k_);
    // The last class takes all records left, whichever record they are nearest to.
    if (remaining_.size() >= k_ || (remaining_.size() > 0 && remaining_.classes() == 0))
      form_class(0, remaining_.size());
    Partition partition = remaining_.partition();
    join_nearest_class(remaining_.index().records(), partition);
    return partition;
  }

 private:
  void form_class(Record seed, Record size) {
    remaining_.index().nearest_weighing(space_.row(seed), size, members_);
    remaining_.form_class(members_);
    ticker_.advance(static_cast<std::int64_t>(members_.size()));
  }

  /// With heavy points fewer than k records may be left: each joins the class with the nearest
  /// centroid, ties to the lower class.
  void join_nearest_class(const std::vector<Record>& rest, Partition& partition) const {
    if (rest.empty()) return;
    const Members members = members_of(partition);
    std::vector<Neighbour> nearest(rest.size(), {std::numeric_limits<double>::infinity(), 0});
    Centroid centroid(space_);
    std::vector<double> point(static_cast<std::size_t>(space_.dimension()));
    for (ClassId c = 0; c < partition.classes; ++c) {
      const auto first = static_cast<std::size_t>(members.begin[static_cast<std::size_t>(c)]);
      const auto last = static_cast<std::size_t>(members.begin[static_cast<std::size_t>(c) + 1]);
      for (std::size_t i = first; i < last; ++i) centroid.add(members.records[i]);
      centroid.point(point.data());
      for (std::size_t i = first; i < last; ++i) centroid.remove(members.records[i]);
      ticker_.step(static_cast<std::int64_t>((last - first + rest.size()) * point.size()) * 10);
      for (std::size_t i = 0; i < rest.size(); ++i) {
        const double distance = space_.squared_distance(space_.row(rest[i]), point.data());
        if (distance < nearest[i].distance) nearest[i] = {distance, c};
      }
    }
    for (std::size_t i = 0; i < rest.size(); ++i)
      partition.class_of[static_cast<std::size_t>(rest[i])] = nearest[i].record;
    number_by_first_record(partition);
  }

  const Space& space_;
  Record k_;
  Ticker& ticker_;
  UnassignedRecords remaining_;
  std::vector<Neighbour> members_;
};

}  // namespace

Partition mdav(const Space& space, Record k, Ticker& ticker) {
  ticker.begin("mdav", space.size());
  return Mdav(space, UnassignedRecords(space, ticker), k, ticker).run();
}

Partition mdav(const Space& space, const std::vector<Record>& records, Record k, Ticker& ticker) {
  ticker.begin("mdav", static_cast<std::int64_t>(records.size()));
  return Mdav(space, UnassignedRecords(space, records, ticker), k, ticker).run();
}

}  // namespace anonkit
