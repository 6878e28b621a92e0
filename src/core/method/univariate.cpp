#include "method/univariate.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "base/error.hpp"

namespace anonkit {

namespace {

/// A value and the number of its records.
struct Weighed {
  double value;
  Record records;
};

/// last[i]: the length of the last class in the best partition of the i least values; 0 without
/// one. Values ascend. Where means are published in steps, the nearest step stands for the mean.
/// Welford's method updates the cost of a run value by value, without cancellation for narrow runs.
std::vector<Record> best_last_class(const std::vector<Weighed>& values, const PublishedSteps& steps,
                                    Record k, Ticker& ticker) {
  const auto n = static_cast<Record>(values.size());
  std::vector<double> cost(values.size() + 1, std::numeric_limits<double>::infinity());
  std::vector<Record> last(values.size() + 1, 0);
  cost[0] = 0;
  for (Record end = 1; end <= n; ++end) {
    double mean = 0, within = 0;
    Record records = 0, fewest = 0;  // of the run, and of its shortest end that is a class
    Record length = 1;
    for (; length <= end; ++length) {
      const auto& [value, weight] = values[static_cast<std::size_t>(end - length)];
      records += weight;
      // Two classes cost at most as much as this run.
      if (fewest > 0 && records - fewest >= k) break;
      const double difference = value - mean;
      mean += difference * weight / records;
      within += weight * (difference * (value - mean));
      if (records < k) continue;
      if (fewest == 0) fewest = records;
      const double total =
          cost[static_cast<std::size_t>(end - length)] + within + records * steps.excess(mean);
      if (total < cost[static_cast<std::size_t>(end)]) {
        cost[static_cast<std::size_t>(end)] = total;
        last[static_cast<std::size_t>(end)] = length;
      }
    }
    ticker.step(8 * static_cast<std::int64_t>(length));
    ticker.advance(1);
  }
  return last;
}

}  // namespace

Partition univariate(const Space& space, Record k, Ticker& ticker) {
  if (space.dimension() != 1 || !space.numeric())
    throw Error(ErrorKind::internal, "univariate microaggregation needs one numeric attribute");
  ticker.begin("univariate", space.size());
  std::vector<Record> order(static_cast<std::size_t>(space.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Record a, Record b) { return *space.row(a) < *space.row(b); });
  std::vector<Weighed> values;
  for (const Record i : order) values.push_back({*space.row(i), space.weight(i)});

  Partition partition;
  partition.class_of.resize(order.size());
  if (space.records() < 2 * k) {
    partition.classes = 1;
    return partition;
  }
  const std::vector<Record> last = best_last_class(values, space.published(0), k, ticker);
  for (std::size_t end = order.size(); end > 0; ++partition.classes) {
    const std::size_t begin = end - static_cast<std::size_t>(last[end]);
    for (; end > begin; --end)
      partition.class_of[static_cast<std::size_t>(order[end - 1])] = partition.classes;
  }
  number_by_first_record(partition);
  return partition;
}

}  // namespace anonkit
