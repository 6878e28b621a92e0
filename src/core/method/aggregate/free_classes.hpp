#pragma once

#include "method/aggregate/grouping.hpp"

namespace anonkit {

/// Classes in any shape, not only runs in the order of f, and the attributes that each generalises.
struct FreeClasses {
  SortedRecords records;  ///< class by class
  MaskedRuns runs;
};

/// Classes of low NCP that satisfy the guarantee, in two phases. Mondrian with the cheapest cuts,
/// improved by the search, forms classes under full generalisation. Then each class restores
/// attributes to their original values as far as the guarantee allows. Up to 8 attributes it takes
/// the cheapest set; above, it restores one attribute after the other, the costliest first.
///
/// An extension of the paper, whose classes are runs in the order of f. O(n log n) and the search;
/// O(n 2^min(m,8)) per function.
FreeClasses free_classes(const AggregateRecords& records, const AggregateOptions& options,
                         Ticker& ticker);

}  // namespace anonkit
