#pragma once

#include "model/level.hpp"

namespace anonkit {

/// delta-disclosure privacy (J. Brickell, V. Shmatikov: The cost of privacy: destruction of
/// data-mining utility in anonymized data publishing. KDD 2008): for every value of the relation,
/// with share p, and every class, with share q, |ln (q / p)| < delta. The level is the largest such
/// logarithm; infinite if a class lacks a value. O(distinct values of all classes).
Level delta_disclosure(const ClassHistogram& histogram, Ticker& ticker);

}  // namespace anonkit
