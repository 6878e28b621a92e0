#include "metric/lower_bound.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "space/index/spatial_index.hpp"

namespace anonkit {

double sse_lower_bound(const Space& space, Record k, Ticker& ticker) {
  ticker.begin("lower bound", space.size());
  const SpatialIndex index(space, ticker);
  // A partition of n < 2k records has one class, of n.
  const Record largest = std::min(2 * k - 1, space.size());
  const Record smallest = space.size() < 2 * k ? space.size() : k;
  std::vector<Neighbour> nearest;
  double bound = 0;
  for (Record i = 0; i < space.size(); ++i) {
    // The record itself, or one at the same place, comes first: at distance 0.
    index.nearest(space.row(i), largest, nearest);
    double sum = 0, least = std::numeric_limits<double>::infinity();
    for (Record m = 1; m <= largest; ++m) {
      sum += nearest[static_cast<std::size_t>(m - 1)].distance;
      if (m >= smallest) least = std::min(least, sum / (2.0 * m));
    }
    bound += least;
    ticker.advance(1);
  }
  return bound;
}

}  // namespace anonkit
