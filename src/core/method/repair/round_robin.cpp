#include "method/repair/round_robin.hpp"

#include <algorithm>
#include <numeric>

#include "base/at.hpp"
#include "method/repair/merging.hpp"

namespace anonkit {
namespace {

/// By value: its position in the round robin.
std::vector<std::int32_t> places_of(const SensitiveAttribute& attribute, RoundRobinBy by) {
  const std::int32_t most = *std::max_element(attribute.ranks.begin(), attribute.ranks.end());
  std::vector<std::int32_t> order(at(most) + 1), places(order.size()), counts(order.size());
  std::iota(order.begin(), order.end(), 0);
  if (by == RoundRobinBy::value) return order;
  for (const std::int32_t rank : attribute.ranks) ++counts[at(rank)];
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t a, std::int32_t b) { return counts[at(a)] > counts[at(b)]; });
  for (std::size_t place = 0; place < order.size(); ++place)
    places[at(order[place])] = static_cast<std::int32_t>(place);
  return places;
}

class RoundRobin {
 public:
  RoundRobin(const std::vector<Record>& order, Record table, const Constraints& constraints,
             Ticker& ticker)
      : order_(order), table_(table), constraints_(constraints), ticker_(ticker) {}

  bool try_with(ClassId classes) {
    Partition distributed{std::vector<ClassId>(at(table_), kNone), classes};
    for (std::size_t i = 0; i < order_.size(); ++i)
      distributed.class_of[at(order_[i])] = static_cast<ClassId>(i % at(classes));
    ticker_.step(static_cast<std::int64_t>(10 * order_.size()));
    if (!all_allow(constraints_, distributed, ticker_)) return false;
    best_ = std::move(distributed);
    return true;
  }

  std::optional<Partition> take() { return std::move(best_); }

 private:
  const std::vector<Record>& order_;
  Record table_;
  const Constraints& constraints_;
  Ticker& ticker_;
  std::optional<Partition> best_;
};

}  // namespace

std::vector<Record> round_robin_order(const std::vector<SensitiveAttribute>& attributes,
                                      std::vector<Record> records, RoundRobinBy by,
                                      Ticker& ticker) {
  std::vector<std::vector<std::int32_t>> places;
  for (const SensitiveAttribute& attribute : attributes) places.push_back(places_of(attribute, by));
  std::sort(records.begin(), records.end(), [&](Record i, Record j) {
    ticker.step(8);
    for (std::size_t a = 0; a < attributes.size(); ++a) {
      const std::int32_t x = places[a][at(attributes[a].ranks[at(i)])],
                         y = places[a][at(attributes[a].ranks[at(j)])];
      if (x != y) return x < y;
    }
    return i < j;
  });
  return records;
}

std::optional<Partition> round_robin(const std::vector<Record>& order, Record table, Record k,
                                     const Constraints& constraints, Ticker& ticker) {
  ticker.begin("distributing records", 0);
  const auto most = static_cast<ClassId>(order.size()) / k;
  RoundRobin attempts(order, table, constraints, ticker);
  if (most < 1 || attempts.try_with(most)) return attempts.take();
  // Decreases by a fourth until a number is allowed, then bisects between allowed and refused
  // numbers.
  ClassId refused = most, allowed = 0;
  for (ClassId classes = most; classes > 1 && allowed == 0;) {
    classes -= (classes + 3) / 4;
    if (classes >= 1 && attempts.try_with(classes))
      allowed = classes;
    else
      refused = classes;
  }
  if (allowed == 0) return attempts.take();
  while (refused - allowed > 1) {
    const ClassId middle = allowed + (refused - allowed) / 2;
    (attempts.try_with(middle) ? allowed : refused) = middle;
  }
  return attempts.take();
}

}  // namespace anonkit
