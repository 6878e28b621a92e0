#pragma once

#include "model/level.hpp"

namespace anonkit {

/// beta-likeness (J. Cao, P. Karras: Publishing microdata with a robust privacy guarantee. PVLDB
/// 5(11), 2012) limits the relative gain of a value's share from p in the relation to q in a class.
/// The level is the least beta that holds. O(distinct values of all classes).

/// Basic: (q - p) / p <= beta for every value with q > p.
Level basic_beta_likeness(const ClassHistogram& histogram, Ticker& ticker);

/// Enhanced: (q - p) / p <= min(beta, -ln p), which also bounds frequent values. Infinite if a
/// class exceeds -ln p, since no beta then holds.
Level enhanced_beta_likeness(const ClassHistogram& histogram, Ticker& ticker);

}  // namespace anonkit
