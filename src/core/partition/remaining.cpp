#include "partition/remaining.hpp"

#include <utility>

namespace anonkit {

Remaining::Remaining(const Space& space, Ticker& ticker)
    : Remaining(space, SpatialIndex(space, ticker)) {
  for (Record i = 0; i < space.size(); ++i) add(i, ticker);
}

Remaining::Remaining(const Space& space, const std::vector<Record>& records, Ticker& ticker)
    : Remaining(space, SpatialIndex(space, records, ticker)) {
  for (const Record i : records) add(i, ticker);
}

Remaining::Remaining(const Space& space, SpatialIndex index)
    : space_(&space),
      index_(std::move(index)),
      of_all_(space),
      point_(static_cast<std::size_t>(space.dimension())) {}

void Remaining::add(Record i, Ticker& ticker) {
  of_all_.add(i);
  ticker.step(10 * space_->dimension());
}

Record Remaining::farthest_from_centroid() {
  of_all_.point(point_.data());
  return index_.farthest_from_centre(point_.data()).record;
}

void Remaining::form_class(const std::vector<Neighbour>& members, Partition& partition) {
  for (const Neighbour& member : members) {
    partition.class_of[static_cast<std::size_t>(member.record)] = partition.classes;
    of_all_.remove(member.record);
  }
  index_.remove(members);
  ++partition.classes;
}

}  // namespace anonkit
