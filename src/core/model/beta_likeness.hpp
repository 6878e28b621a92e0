#pragma once

#include "model/level.hpp"

namespace anonkit {

/// beta-likeness (J. Cao, P. Karras: Publishing microdata with a robust privacy guarantee. PVLDB
/// 5(11), 2012): no value is much more frequent in a class, with share q, than in the relation,
/// with share p. The level is the least beta that holds. O(distinct values of all classes).

/// Basic: (q - p) / p <= beta for every value with q > p.
Level basic_beta_likeness(const ClassHistogram& histogram, Ticker& ticker);

/// Enhanced: (q - p) / p <= min(beta, -ln p), so that frequent values are bounded, too. Infinite if
/// a class exceeds -ln p, which no beta mends.
Level enhanced_beta_likeness(const ClassHistogram& histogram, Ticker& ticker);

}  // namespace anonkit
