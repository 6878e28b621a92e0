#include "metric/bound/least_excesses.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/threads.hpp"

namespace anonkit {
namespace {

// Points of a batch do not wait for each other.
constexpr std::size_t kBatches = 32, kLeastOfBatch = 32, kPointsOfTask = 8;

}  // namespace

LeastExcesses::LeastExcesses(const ClassPoints& points, const std::vector<double>& prices,
                             const ClassPool& pool, Record smallest, Record largest)
    : points_(points),
      smallest_(smallest),
      largest_(largest),
      priced_{prices, Gains(points, prices, smallest, largest), {}, {}},
      order_(prices.size()) {
  std::vector<double>& known = priced_.known;
  for (std::int32_t i = 0; i < points.size(); ++i) known.push_back(pool.least(i, prices));
  priced_.proven.assign(order_.size(), -std::numeric_limits<double>::infinity());
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) {
    return known[at(a)] > known[at(b)] || (known[at(a)] == known[at(b)] && a < b);
  });
}

bool LeastExcesses::prove(double floor, int threads, Progress& progress, Ticker& ticker) {
  const std::size_t batch = std::max(kLeastOfBatch, (order_.size() + kBatches - 1) / kBatches);
  for (std::size_t begin = 0; begin < order_.size(); begin += batch) {
    const std::size_t end = std::min(order_.size(), begin + batch);
    search(begin, end, threads, ticker);
    ticker.advance(static_cast<std::int64_t>(end - begin));
    std::int64_t work = 0;
    for (std::size_t rank = begin; rank < end; ++rank) {
      const CheapestClass::Answer& answer = answers_[rank - begin];
      priced_.proven[at(order_[rank])] = std::max(answer.least, floor);
      work += answer.work;
      for (const ClassColumn& column : answer.columns) {
        const double excess = column.excess(priced_.prices);
        for (const ClassColumn::Member& one : column.members)
          priced_.known[at(one.point)] = std::min(priced_.known[at(one.point)], excess);
        columns_.push_back(column);
      }
    }
    if (progress.after(work) >= 1) return end == order_.size();
  }
  return true;
}

void LeastExcesses::search(std::size_t begin, std::size_t end, int threads, Ticker& ticker) {
  answers_.resize(end - begin);
  const std::size_t tasks = (end - begin + kPointsOfTask - 1) / kPointsOfTask;
  run_unreported_tasks(tasks, threads, ticker, [&](std::size_t task, Ticker& of_thread) {
    CheapestClass search(points_, smallest_, largest_);
    const std::size_t last = std::min(end, begin + (task + 1) * kPointsOfTask);
    for (std::size_t rank = begin + task * kPointsOfTask; rank < last; ++rank)
      answers_[rank - begin] = search.of(order_[rank], priced_, of_thread);
  });
}

}  // namespace anonkit
