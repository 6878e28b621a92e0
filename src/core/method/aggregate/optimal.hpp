#pragma once

#include "method/aggregate/grouping.hpp"

namespace anonkit {

struct OptimalRuns {
  MaskedRuns runs;
  bool exact = true;  ///< all attribute sets were tried for every class
};

/// The runs of k to 2k-1 places (of at least p sensitive values), and the attribute set of each, of
/// least total NCP: a shortest path over the class boundaries, where the length of a step is the
/// least NCP of the class over all attribute sets that keep the guarantee. With p the classes have
/// max(k, p) to 2 max(k, p) - 1 places.
///
/// Beyond 12 attributes (fewer where the tables would outgrow 64 MB) those whose generalisation
/// costs least are generalised together or not at all, and a chosen class is then freed of every
/// attribute that it need not generalise. `greedy` takes part in the path, so that the outcome is
/// never worse, to the last bit. O(n k functions 2^min(m,12)); 12 bytes a record and
/// 32 for each function.
OptimalRuns optimal_runs(const SortedRecords& records, const AggregateOptions& options,
                         const MaskedRuns& greedy, Ticker& ticker);

}  // namespace anonkit
