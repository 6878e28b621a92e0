#pragma once

#include <functional>

#include "method/method.hpp"
#include "partition/partition.hpp"

namespace anonkit {

/// Unites classes until the records of the problem keep the promised limits on the risk of a
/// release (promise/risk_limits.hpp), and so does a table whose parts are all treated so. First
/// classes at risk are united until their share of the records is within its limit, then any
/// classes until the mean risk is. The next union is the one that adds least to the sum of squares,
/// as in Ward's hierarchical clustering (J. H. Ward: Hierarchical grouping to optimize an objective
/// function. J. American Statistical Association 58, 1963), among those of a class with a few near
/// ones that keep all other promises.
///
/// Returns classes numbered by their first record. A union costs
/// about O(log n), and O(class size); among unions of equal cost the smallest is next, so that
/// equal records take O(n log n) in all. Throws infeasible if even one class of all records exceeds
/// a limit.
Partition merge_within_risk(const Problem& problem, Partition partition, Ticker& ticker);

/// The classes of `form` within the promised risk: those that it forms for k, merged, or those for
/// the least k that needs no merging, whichever lose less. Cells of a method that recodes keep it
/// as they are.
Classification form_within_risk(const Problem& problem,
                                const std::function<Classification(const Problem&)>& form,
                                Ticker& ticker);

}  // namespace anonkit
