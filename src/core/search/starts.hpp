#pragma once

#include <functional>
#include <vector>

#include "partition/partition.hpp"
#include "search/refine.hpp"

namespace anonkit {

struct SearchedStarts {
  std::size_t won = 0;  ///< the start that the partition was reached from
  Partition partition;
  double loss = 0;
  bool reproducible = true;
};

/// How classes are searched for less loss, whatever the loss and the constraints are.
struct StartSearch {
  std::function<double(const RecordSpan&)> loss;  ///< of a class; they add up
  std::function<RefineResult(const Partition&, const RefineOptions&)> refine;
};

/// Searches from several starts, of which there is one at least, for less loss. Every start gets
/// the short search of Effort::fast. With Effort::thorough the leaders, those that it took
/// furthest, get the long one, each with a seed of its own, and what was found is crossed over
/// (crossover.hpp). Against the clock the first one alone does, which gets further than several in
/// a part of the time each. So the result is never above any start, nor above what the short search
/// makes of any. Of large tables the short search begins with two starts only: the one of least
/// loss, and the one with most classes, which need not be taken apart under the constraints.
SearchedStarts refine_starts(std::vector<Partition> starts, const StartSearch& search,
                             const RefineOptions& options);

/// The loss is SSE to the centroid.
SearchedStarts refine_starts(const Space& space, std::vector<Partition> starts, Record k,
                             const std::vector<Constraint*>& constraints,
                             const RefineOptions& options, Ticker& ticker);

}  // namespace anonkit
