#pragma once

#include "base/ticker.hpp"
#include "method/full_domain/full_domain.hpp"

namespace anonkit {

/// mu-Argus (Hundepool and Willenborg 1996; Sweeney 2002, section 5.3).
///  1. Each attribute is generalised until all of its values have k records.
///  2. Combinations of 2 and 3 attributes are tested: of those that are differently identifying,
///     or of all if nothing is said of them. Combinations of values with fewer than k records are
///     outliers.
///  3. The data holder may generalise on. Here he does if `max_suppression` is given, as long as
///     more than that share of the records has an outlier: the attribute that has a part in the
///     most outliers, the first of several.
///  4. Each outlier loses a cell: the value that is in the most outliers is suppressed in their
///     records, and so on; of several the first attribute's, and of that the first.
///
/// As published it is not k-anonymous, as larger combinations are not tested, and looks at no other
/// model: figures.smallest is the k that was reached. With `complete` cells and then records are
/// suppressed on until all demands hold. Throws infeasible if nothing is left then.
Recoded argus(const FullDomainProblem& problem, Ticker& ticker);

}  // namespace anonkit
