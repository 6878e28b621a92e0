#include "method/growing/growing.hpp"

#include <algorithm>
#include <limits>

#include "base/at.hpp"
#include "space/centroid.hpp"
#include "space/index/centroid_index.hpp"

namespace anonkit {

void extend_class(const Space& space, const UnassignedRecords& left, double gamma,
                  const std::function<bool(Record)>& is_barred,
                  const std::function<void(const Neighbour&)>& take) {
  const SpatialIndex& index = left.index();
  const auto nearest_to = [&](Record i) { return index.nearest(space.row(i)); };
  std::vector<Neighbour> two;
  const auto distance_to_others = [&](Record i) {
    index.nearest(space.row(i), 2, two);
    for (const Neighbour& other : two)
      if (other.record != i) return other.distance;
    return std::numeric_limits<double>::infinity();
  };
  std::vector<Neighbour> nearest;  // by member: its nearest record left
  for (const Record i : left.members()) nearest.push_back(nearest_to(i));
  while (index.size() > 0) {
    const Neighbour candidate = *std::min_element(nearest.begin(), nearest.end(), nearer);
    if (is_barred(candidate.record) ||
        !(candidate.distance < gamma * gamma * distance_to_others(candidate.record)))
      return;
    take(candidate);
    nearest.push_back({0, candidate.record});
    const Record* member = left.members().begin();
    for (Neighbour& of_member : nearest) {
      if (of_member.record == candidate.record) of_member = nearest_to(*member);
      ++member;
    }
  }
}

namespace {

/// The centroids of the classes before any record joins them, and their sizes by weight.
class Centroids {
 public:
  Centroids(const Space& space, const Partition& partition, Ticker& ticker)
      : space_(space), width_(at(space.dimension())) {
    const Members members = members_of(partition);
    points_.resize(members.classes() * width_);
    Centroid centroid(space);
    for (std::size_t c = 0; c < members.classes(); ++c) {
      const RecordSpan records = members.of(c);
      for (const Record i : records) centroid.add(i);
      centroid.point(points_.data() + c * width_);
      sizes.push_back(centroid.size());
      for (const Record i : records) centroid.remove(i);
      ticker.step(std::int64_t{10} * records.size() * space.dimension());
    }
  }

  const double* point(std::size_t c) const { return points_.data() + c * width_; }

  /// The nearest class of at most so many records; kNone without one.
  ClassId nearest(Record i, Record most) const {
    ClassId best = kNone;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < sizes.size(); ++c) {
      if (sizes[c] > most) continue;
      const double distance = space_.squared_distance(space_.row(i), point(c));
      if (best != kNone && !(distance < least)) continue;
      best = static_cast<ClassId>(c);
      least = distance;
    }
    return best;
  }

  std::vector<Record> sizes;

 private:
  const Space& space_;
  std::size_t width_;
  std::vector<double> points_;
};

/// For more records than a scan of all centroids is worth.
void join_by_index(const Space& space, const std::vector<Record>& rest, const Centroids& centroids,
                   Partition& partition, Ticker& ticker) {
  CentroidIndex index(space, partition.classes, ticker);
  for (ClassId c = 0; c < partition.classes; ++c) index.add(c, centroids.point(at(c)));
  for (const Record i : rest) partition.class_of[at(i)] = index.nearest(space.row(i), kNone);
}

}  // namespace

void join_nearest(const Space& space, const std::vector<Record>& rest, Record limit,
                  Partition& partition, Ticker& ticker) {
  if (!rest.empty()) {
    Centroids centroids(space, partition, ticker);
    // Fewer than k records have at most as many distances to classes as there are records.
    const auto distances = static_cast<std::int64_t>(rest.size()) * partition.classes;
    if (limit == kUnlimited && distances > space.records()) {
      join_by_index(space, rest, centroids, partition, ticker);
    } else {
      for (const Record i : rest) {
        ClassId c = centroids.nearest(i, limit - space.weight(i));
        if (c == kNone) c = centroids.nearest(i, kUnlimited);
        partition.class_of[at(i)] = c;
        centroids.sizes[at(c)] += space.weight(i);
        ticker.step(std::int64_t{10} * partition.classes * space.dimension());
      }
    }
    ticker.advance(static_cast<std::int64_t>(rest.size()));
  }
  number_by_first_record(partition);
}

}  // namespace anonkit
