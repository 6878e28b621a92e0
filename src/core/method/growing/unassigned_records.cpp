#include "method/growing/unassigned_records.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace anonkit {

UnassignedRecords::UnassignedRecords(const Space& space)
    : space_(&space), of_all_(space), point_(static_cast<std::size_t>(space.dimension())) {}

UnassignedRecords::UnassignedRecords(const Space& space, Ticker& ticker)
    : UnassignedRecords(space) {
  add_part(SpatialIndex(space, ticker));
  for (Record i = 0; i < space.size(); ++i) add(i, ticker);
}

UnassignedRecords::UnassignedRecords(const Space& space, const std::vector<Record>& records,
                                     Ticker& ticker)
    : UnassignedRecords(space) {
  add_part(records, ticker);
}

UnassignedRecords::UnassignedRecords(const Space& space,
                                     const std::vector<std::vector<Record>>& parts, Ticker& ticker)
    : UnassignedRecords(space) {
  for (const std::vector<Record>& records : parts) add_part(records, ticker);
}

void UnassignedRecords::add_part(const std::vector<Record>& records, Ticker& ticker) {
  add_part(SpatialIndex(*space_, records, ticker));
  for (const Record i : records) add(i, ticker);
}

void UnassignedRecords::add_part(SpatialIndex index) {
  parts_.push_back({std::move(index), std::numeric_limits<double>::infinity(), point_});
}

void UnassignedRecords::add(Record i, Ticker& ticker) {
  of_all_.add(i);
  size_ += space_->weight(i);
  ticker.step(10 * space_->dimension());
}

Record UnassignedRecords::farthest_from_centroid() {
  of_all_.point(point_.data());
  order_.clear();
  for (Subset& part : parts_)
    if (part.index.size() > 0) order_.emplace_back(bound(part), &part);
  std::sort(order_.begin(), order_.end(), std::greater<>());
  Neighbour farthest{-1, -1};
  for (const auto& [bound, part] : order_) {
    if (bound * bound < farthest.distance) break;
    farthest = part->index.farthest_from_centre(point_.data(), farthest, stretch_);
    part->reach = std::sqrt(std::max(farthest.distance, 0.0) * stretch_);
    part->from = point_;
  }
  return farthest.record;
}

/// An upper bound of the distance from point_ to the part's records. It has a margin for rounding
/// and for squares that underflow.
double UnassignedRecords::bound(const Subset& part) const {
  const double moved = std::sqrt(space_->squared_distance(part.from.data(), point_.data()));
  return (part.reach + moved) * (1 + 1e-9) + 1e-150;
}

Record UnassignedRecords::farthest_from(Record i) const {
  Neighbour farthest{-1, -1};
  for (const Subset& part : parts_)
    farthest = part.index.farthest(space_->row(i), farthest, stretch_);
  return farthest.record;
}

void UnassignedRecords::take(const std::vector<Neighbour>& members, std::size_t p) {
  const Record before = class_size_;
  for (const Neighbour& member : members) {
    taken_.push_back(member.record);
    class_size_ += space_->weight(member.record);
    if (!updates_centroid_) continue;
    parts_[p].index.read(member, point_.data());
    of_all_.remove(member.record, point_.data());
  }
  size_ -= class_size_ - before;
  parts_[p].index.remove(members);
}

void UnassignedRecords::form_class(const std::vector<Neighbour>& members) {
  take(members);
  end_class();
}

Partition UnassignedRecords::formed() const {
  Partition partition;
  partition.class_of.assign(static_cast<std::size_t>(space_->size()), kNone);
  std::size_t next = 0;
  for (const std::size_t end : ends_) {
    for (; next < end; ++next)
      partition.class_of[static_cast<std::size_t>(taken_[next])] = partition.classes;
    ++partition.classes;
  }
  return partition;
}

Partition UnassignedRecords::partition() const {
  Partition partition = formed();
  number_by_first_record(partition);
  return partition;
}

}  // namespace anonkit
