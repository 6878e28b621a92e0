#pragma once

#include "method/aggregate/grouping.hpp"

namespace anonkit {

/// Classes that need not be neighbours in the order of f, and the attributes that each generalises.
struct FreeClasses {
  SortedRecords records;  ///< class by class
  MaskedRuns runs;
};

/// Classes of least NCP when everything is generalised (Mondrian with the cheapest cuts, improved
/// by the search), which keep the guarantee as they are; then each class generalises no more than
/// it needs: of up to 8 attributes the cheapest set that keeps the guarantee, of more one after the
/// other is kept, the costliest first. Beyond the paper, whose classes are runs in the order of f.
/// O(n log n) and the search; O(n 2^min(m,8)) for each function.
FreeClasses free_classes(const AggregateRecords& records, const AggregateOptions& options,
                         Ticker& ticker);

}  // namespace anonkit
