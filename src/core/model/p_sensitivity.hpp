#pragma once

#include "model/level.hpp"

namespace anonkit {

/// p-sensitivity: every class has at least p distinct values of the sensitive attribute (T. M.
/// Truta, B. Vinay: Privacy protection: p-sensitive k-anonymity property. ICDE Workshops 2006).
/// The level is the fewest distinct values of a class. O(classes).
Level p_sensitivity(const ClassHistogram& histogram, Ticker& ticker);

}  // namespace anonkit
