#pragma once

#include "model/level.hpp"

namespace anonkit {

/// p-sensitivity: every class has at least p distinct values of the sensitive attribute (T. M.
/// Truta, B. Vinay: Privacy protection: p-sensitive k-anonymity property. ICDE Workshops 2006).
/// The level is the fewest distinct values of a class.
///
/// With units, a person may have several values, and p values do not protect persons who share one.
/// So for every value at least p - 1 persons of the class lack it, which p distinct values of
/// records imply. O(distinct values of all classes).
Level p_sensitivity(const ClassHistogram& histogram, Ticker& ticker);

}  // namespace anonkit
