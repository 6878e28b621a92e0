#include "method/mdav.hpp"

#include <utility>
#include <vector>

#include "method/repair/unassigned_records.hpp"

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
      form_class(s, k_);
    }
    if (remaining_.size() / 2 >= k_) form_class(remaining_.farthest_from_centroid(), k_);
    // Whoever they are nearest to, these are all.
    if (remaining_.size() > 0) form_class(0, remaining_.size());
    return remaining_.partition();
  }

 private:
  void form_class(Record seed, Record size) {
    remaining_.index().nearest(space_.row(seed), size, members_);
    remaining_.form_class(members_);
    ticker_.advance(size);
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
