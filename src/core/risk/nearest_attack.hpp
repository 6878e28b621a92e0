#pragma once

#include <vector>

#include "base/ticker.hpp"
#include "risk/cells.hpp"
#include "risk/published_points.hpp"
#include "risk/record_linkage.hpp"

namespace anonkit {

/// A sensitive attribute before and after masking, in codes that both share.
struct SensitivePair {
  const std::int32_t* original;
  const std::int32_t* masked;
  std::int32_t values;
};

/// The success of an attacker who looks up the published records nearest to each original one.
struct NearestAttack {
  Linkage linkage;                 ///< with one of them
  std::vector<FractionSum> right;  ///< by sensitive attribute: records guessed right by their votes

  /// Adds the success with other original records.
  NearestAttack& operator+=(const NearestAttack& other);
};

/// Attacks each original record by the nearest points that hold at least `enough` records, ties
/// included. One search serves linkage and all guesses. With one record it is distance-based
/// linkage (J. Domingo-Ferrer, V. Torra: Disclosure risk assessment in statistical microdata
/// protection via advanced record linkage. Statistics and Computing 13, 2003). Exact, by the
/// spatial index. The result does not depend on the number of threads.
NearestAttack attack_by_nearest(const CellsPair& pair, const PublishedPoints& points,
                                const std::vector<SensitivePair>& sensitive, std::int32_t enough,
                                int threads, Ticker& ticker);

}  // namespace anonkit
