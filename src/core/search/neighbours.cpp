#include "search/neighbours.hpp"

#include <algorithm>
#include <utility>

namespace anonkit {

Neighbours neighbours(const Space& space, int m, Ticker& ticker) {
  const Record n = space.size();
  Neighbours result;
  result.each = std::min<int>(m, n - 1);
  result.records.reserve(static_cast<std::size_t>(n) * static_cast<std::size_t>(result.each));
  std::vector<std::pair<double, Record>> nearest;
  for (Record i = 0; i < n; ++i) {
    nearest.clear();
    for (Record j = 0; j < n; ++j) {
      if (j == i) continue;
      const std::pair<double, Record> found(space.squared_distance(space.row(i), space.row(j)), j);
      if (static_cast<int>(nearest.size()) == result.each) {
        if (!(found < nearest.back())) continue;
        nearest.pop_back();
      }
      nearest.insert(std::upper_bound(nearest.begin(), nearest.end(), found), found);
    }
    for (const auto& found : nearest) result.records.push_back(found.second);
    ticker.step(static_cast<std::int64_t>(n) * space.dimension());
  }
  return result;
}

}  // namespace anonkit
