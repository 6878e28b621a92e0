#include "metric/sse.hpp"

#include <vector>

#include "space/centroid.hpp"

namespace anonkit {

double sse(const Space& space, const Partition& partition, Ticker* ticker) {
  const Members members = members_of(partition);
  Centroid centroid(space);
  std::vector<double> point(static_cast<std::size_t>(space.dimension()));
  double total = 0;
  for (const RecordSpan records : members) {
    if (ticker != nullptr) ticker->step(std::int64_t{20} * records.size() * space.dimension());
    for (const Record i : records) centroid.add(i);
    centroid.point(point.data());
    double within = 0;
    for (const Record i : records) {
      within += space.weight(i) * space.squared_distance(space.row(i), point.data());
      centroid.remove(i);
    }
    total += within;
  }
  return total;
}

double sst(const Space& space) {
  Partition one;
  one.class_of.assign(static_cast<std::size_t>(space.size()), 0);
  one.classes = 1;
  return sse(space, one);
}

}  // namespace anonkit
