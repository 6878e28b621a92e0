#include "partition/remaining.hpp"

namespace anonkit {

Remaining::Remaining(const Space& space, Ticker& ticker)
    : space_(&space),
      index_(space, ticker),
      of_all_(space),
      point_(static_cast<std::size_t>(space.dimension())) {
  for (Record i = 0; i < space.size(); ++i) of_all_.add(i);
}

Remaining::Remaining(const Space& space, const std::vector<Record>& records, Ticker& ticker)
    : space_(&space),
      index_(space, records, ticker),
      of_all_(space),
      point_(static_cast<std::size_t>(space.dimension())) {
  for (const Record i : records) of_all_.add(i);
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
