#include "metric/costliest_records.hpp"

#include <algorithm>

#include "base/at.hpp"

namespace anonkit {
namespace {

/// Records begin .. end-1 of `order`, equal in all quasi-identifiers.
struct CostlyPoint {
  std::size_t begin;
  std::size_t end;
  double mean_cost;
};

/// The points with costs above 0. In canonical order equal records are adjacent.
std::vector<CostlyPoint> costly_points(const Table& table, const std::vector<Record>& order,
                                       const std::vector<double>& costs, Ticker& ticker) {
  std::vector<CostlyPoint> points;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    double sum = 0;
    for (; end < order.size() && equal_quasi_identifiers(table, order[begin], order[end]); ++end)
      sum += costs[at(order[end])];
    ticker.step(20 * static_cast<std::int64_t>(end - begin));
    if (sum > 0) points.push_back({begin, end, sum / static_cast<double>(end - begin)});
  }
  return points;
}

}  // namespace

std::vector<Record> costliest_records(const Table& table, const std::vector<Record>& order,
                                      const std::vector<double>& costs, std::int64_t budget,
                                      Ticker& ticker) {
  std::vector<CostlyPoint> points = costly_points(table, order, costs, ticker);
  std::stable_sort(points.begin(), points.end(), [&](const CostlyPoint& a, const CostlyPoint& b) {
    ticker.step(10);
    return a.mean_cost > b.mean_cost;
  });
  std::vector<Record> chosen;
  for (const CostlyPoint& point : points) {
    const auto left = budget - static_cast<std::int64_t>(chosen.size());
    if (left <= 0) break;
    if (static_cast<std::int64_t>(point.end - point.begin) <= left)
      chosen.insert(chosen.end(), order.data() + point.begin, order.data() + point.end);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace anonkit
