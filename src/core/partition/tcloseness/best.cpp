#include "partition/tcloseness/best.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "constraint/t_closeness.hpp"
#include "metric/sse.hpp"

namespace anonkit {
namespace {

// Algorithm 2 is quadratic where t cannot be had with k records.
constexpr Record kLargestForKFirst = 20000;

struct Starts {
  std::vector<TClosenessClasses> classes;
  std::size_t cheapest = 0;
  std::size_t finest = 0;
};

Starts run_all(const Space& space, const std::vector<Confidential>& attributes,
               const TClosenessOptions& options, Ticker& ticker) {
  Starts starts;
  double least = -1;
  for (const TClosenessAlgorithm algorithm :
       {TClosenessAlgorithm::t_first, TClosenessAlgorithm::merge, TClosenessAlgorithm::sabre,
        TClosenessAlgorithm::k_first}) {
    if (algorithm == TClosenessAlgorithm::k_first && space.size() > kLargestForKFirst) continue;
    TClosenessOptions start = options;
    start.algorithm = algorithm;
    const std::size_t at = starts.classes.size();
    starts.classes.push_back(tcloseness(space, attributes, start, ticker));
    const Partition& partition = starts.classes.back().partition;
    const double loss = sse(space, partition);
    if (least < 0 || loss < least) {
      least = loss;
      starts.cheapest = at;
    }
    if (partition.classes > starts.classes[starts.finest].partition.classes) starts.finest = at;
  }
  return starts;
}

}  // namespace

TClosenessClasses best_of(const Space& space, const std::vector<Confidential>& attributes,
                          const TClosenessOptions& options, Ticker& ticker) {
  Starts starts = run_all(space, attributes, options, ticker);
  std::deque<TCloseness> closeness;  // constraints stay where they are
  std::vector<Constraint*> constraints;
  for (const Confidential& attribute : attributes)
    constraints.push_back(&closeness.emplace_back(attribute));
  double least = -1;
  std::size_t won = starts.finest;
  const auto search = [&](std::size_t at, Effort effort) {
    RefineOptions how = options.search;
    how.effort = effort;
    RefineResult found =
        refine(space, starts.classes[at].partition, options.k, constraints, how, ticker);
    starts.classes[at].partition = std::move(found.partition);
    starts.classes[at].reproducible = found.reproducible;
    if (least < 0 || found.loss_after < least) won = at;
    least = least < 0 ? found.loss_after : std::min(least, found.loss_after);
  };
  search(starts.finest, options.search.effort);
  const bool reproducible = starts.classes[starts.finest].reproducible;
  if (starts.cheapest != starts.finest) search(starts.cheapest, Effort::fast);
  TClosenessClasses best = std::move(starts.classes[won]);
  best.reproducible = best.reproducible && reproducible;
  return best;
}

}  // namespace anonkit
