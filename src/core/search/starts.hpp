#pragma once

#include <vector>

#include "partition/partition.hpp"
#include "search/refine.hpp"

namespace anonkit {

struct SearchedStarts {
  std::size_t won = 0;  ///< the start that the partition was reached from
  Partition partition;
  bool reproducible = true;
};

/// Searches from several starts, of which there is one at least, for less loss (SSE). The search
/// that was asked for begins with the start that has most classes: it leaves small classes only
/// where a model demands it, while large ones hold many records that it would have to take apart
/// under the constraints. The start of lowest loss, if that is another one, is searched briefly,
/// and the better result is kept: so it is never above any start.
SearchedStarts refine_starts(const Space& space, std::vector<Partition> starts, Record k,
                             const std::vector<Constraint*>& constraints,
                             const RefineOptions& options, Ticker& ticker);

}  // namespace anonkit
