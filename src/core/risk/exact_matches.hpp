#pragma once

#include <cstdint>

#include "base/ticker.hpp"
#include "risk/cells.hpp"

namespace anonkit {

/// Original records that are alone in their values, and those of them that the masked relation
/// shows.
struct ExactMatches {
  std::int64_t uniques = 0;  ///< original records alone in their combination of values
  std::int64_t matched = 0;  ///< of these, equal to exactly one masked record
  std::int64_t found = 0;    ///< of these, equal to one masked record or more
};

/// Counts the unique exact matches of two relations. NIST's SDNist reports count those found among
/// any number of equal masked records by that name. Two cells are equal if they are the same
/// number, the same range or the same category: a range of several numbers equals none of them.
/// Images play no part, so a match may be by chance. O(columns n log n), O(n) memory.
ExactMatches exact_matches(const CellsPair& pair, Ticker& ticker);

}  // namespace anonkit
