#include "method/tcloseness/best.hpp"

#include <utility>

#include "constraint/promised.hpp"
#include "search/starts.hpp"

namespace anonkit {
namespace {

// Algorithm 2 is quadratic if k records cannot reach t.
constexpr Record kLargestForKFirst = 20000;

std::vector<TClosenessClasses> run_all(const Space& space,
                                       const std::vector<SensitiveAttribute>& attributes,
                                       const TClosenessOptions& options, Ticker& ticker) {
  std::vector<TClosenessClasses> starts;
  for (const TClosenessAlgorithm algorithm :
       {TClosenessAlgorithm::t_first, TClosenessAlgorithm::merge, TClosenessAlgorithm::sabre,
        TClosenessAlgorithm::k_first}) {
    if (algorithm == TClosenessAlgorithm::k_first &&
        options.search.effort_records(space.size()) > kLargestForKFirst)
      continue;
    TClosenessOptions start = options;
    start.algorithm = algorithm;
    starts.push_back(tcloseness(space, attributes, start, ticker));
  }
  return starts;
}

}  // namespace

TClosenessClasses best_of(const Space& space, const std::vector<SensitiveAttribute>& attributes,
                          const TClosenessOptions& options, Ticker& ticker) {
  std::vector<TClosenessClasses> classes = run_all(space, attributes, options, ticker);
  std::vector<Partition> starts;
  for (TClosenessClasses& start : classes) starts.push_back(std::move(start.partition));
  Promises promises;
  promises.t = 1;  // each attribute has its own t
  const Constraints constraints = promised_constraints(attributes, promises);
  SearchedStarts found = refine_starts(space, std::move(starts), options.k, pointers(constraints),
                                       options.search, ticker);
  TClosenessClasses best = std::move(classes[found.won]);
  best.partition = std::move(found.partition);
  best.reproducible = found.reproducible;
  return best;
}

}  // namespace anonkit
