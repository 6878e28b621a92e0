#pragma once

#include "method/aggregate/grouping.hpp"

namespace anonkit {

struct OptimalRuns {
  MaskedRuns runs;
  bool exact = true;  ///< all attribute sets were tried for every class
};

/// The runs of k to 2k-1 places, with at least p sensitive values, and their attribute sets, of
/// least total NCP. They are a shortest path over the class boundaries. The length of a step is the
/// least NCP of the class over all attribute sets that satisfy the guarantee. With p, runs have
/// max(k, p) to 2 max(k, p) - 1 places.
///
/// Above 12 attributes (fewer if the tables would exceed 64 MB), those with the cheapest
/// generalisation form one block. Afterwards a class restores every attribute that the guarantee
/// does not require. The path may use runs of `greedy`, so the result is never worse, to the last
/// bit. O(n k functions 2^min(m,12)); 12 bytes per record and 32 per function.
OptimalRuns optimal_runs(const SortedRecords& records, const AggregateOptions& options,
                         const MaskedRuns& greedy, Ticker& ticker);

}  // namespace anonkit
