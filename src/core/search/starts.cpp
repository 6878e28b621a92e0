#include "search/starts.hpp"

#include <utility>

#include "metric/sse.hpp"

namespace anonkit {

SearchedStarts refine_starts(const Space& space, std::vector<Partition> starts, Record k,
                             const std::vector<Constraint*>& constraints,
                             const RefineOptions& options, Ticker& ticker) {
  std::size_t cheapest = 0, finest = 0;
  double least = -1;
  for (std::size_t at = 0; at < starts.size(); ++at) {
    const double loss = sse(space, starts[at], &ticker);
    if (least < 0 || loss < least) {
      least = loss;
      cheapest = at;
    }
    if (starts[at].classes > starts[finest].classes) finest = at;
  }
  RefineResult best = refine(space, starts[finest], k, constraints, options, ticker);
  SearchedStarts result{finest, std::move(best.partition), best.reproducible};
  if (cheapest == finest) return result;
  RefineOptions brief = options;
  brief.effort = Effort::fast;
  RefineResult other = refine(space, starts[cheapest], k, constraints, brief, ticker);
  result.reproducible = result.reproducible && other.reproducible;
  if (other.loss_after < best.loss_after) {
    result.won = cheapest;
    result.partition = std::move(other.partition);
  }
  return result;
}

}  // namespace anonkit
