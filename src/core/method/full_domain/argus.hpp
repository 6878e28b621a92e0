#pragma once

#include "base/ticker.hpp"
#include "method/full_domain/full_domain.hpp"

namespace anonkit {

/// mu-Argus (Hundepool and Willenborg 1996; Sweeney 2002, section 5.3).
///
/// 1. Each attribute is generalised until each of its values has k records.
///
/// 2. Combinations of 2 and 3 attributes are tested: those of different identifying roles, or all
/// combinations without roles. Combinations of values with fewer than k records are outliers.
///
/// 3. The data holder may generalise further. Here, if `max_suppression` is given, the first
/// attribute with the most outliers is generalised while more than that share of the records has an
/// outlier.
///
/// 4. Each outlier loses a cell. The value in the most outliers is suppressed in their records, and
/// so on; ties go to the first attribute, then to the first value.
///
/// As published, mu-Argus is not k-anonymous, since it tests no larger combinations, and it
/// considers no other model. figures.smallest is the k reached. With `complete`, more cells and
/// then records are suppressed until all promises hold. Throws infeasible if no record is left.
Recoded argus(const FullDomainProblem& problem, Ticker& ticker);

}  // namespace anonkit
