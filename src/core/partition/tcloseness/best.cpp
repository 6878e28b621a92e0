#include "partition/tcloseness/best.hpp"

#include <deque>

#include "constraint/t_closeness.hpp"
#include "metric/sse.hpp"

namespace anonkit {
namespace {

// Algorithm 2 is quadratic where t cannot be had with k records.
constexpr Record kLargestForKFirst = 20000;

TClosenessClasses cheapest(const Space& space, const std::vector<Confidential>& attributes,
                           const TClosenessOptions& options, Ticker& ticker) {
  TClosenessClasses best;
  double least = -1;
  for (const TClosenessAlgorithm algorithm :
       {TClosenessAlgorithm::t_first, TClosenessAlgorithm::merge, TClosenessAlgorithm::sabre,
        TClosenessAlgorithm::k_first}) {
    if (algorithm == TClosenessAlgorithm::k_first && space.size() > kLargestForKFirst) continue;
    TClosenessOptions start = options;
    start.algorithm = algorithm;
    TClosenessClasses classes = tcloseness(space, attributes, start, ticker);
    const double loss = sse(space, classes.partition);
    if (least >= 0 && loss >= least) continue;
    least = loss;
    best = std::move(classes);
  }
  return best;
}

}  // namespace

TClosenessClasses best_of(const Space& space, const std::vector<Confidential>& attributes,
                          const TClosenessOptions& options, Ticker& ticker) {
  TClosenessClasses best = cheapest(space, attributes, options, ticker);
  std::deque<TCloseness> closeness;  // constraints stay where they are
  std::vector<Constraint*> constraints;
  for (const Confidential& attribute : attributes)
    constraints.push_back(&closeness.emplace_back(attribute));
  RefineResult refined =
      refine(space, best.partition, options.k, constraints, options.search, ticker);
  best.partition = std::move(refined.partition);
  best.reproducible = refined.reproducible;
  return best;
}

}  // namespace anonkit
