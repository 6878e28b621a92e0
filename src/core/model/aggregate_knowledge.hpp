#pragma once

#include <cstdint>
#include <vector>

#include "base/aggregate_function.hpp"
#include "base/ticker.hpp"

namespace anonkit {

/// A release in ranges, judged against attackers who know f (k^f- and k^(f,d)-anonymity: O.
/// Gkountouna, K. Lepenioti, M. Terrovitis 2013, Definitions 1 and 2). The judge shares only the
/// names of the functions and guarantees with the algorithms.
struct PublishedRanges {
  std::int32_t records = 0;
  int attributes = 0;
  const double* low = nullptr;  ///< records x attributes, row-major; [v, v] if unmasked
  const double* high = nullptr;
  const double* original = nullptr;         ///< records x attributes of the same records, or null
  const std::int32_t* sensitive = nullptr;  ///< published with each record, or null
};

/// The level that a release achieves, and the first record that limits it.
struct AggregateLevel {
  std::int32_t k = 0;         ///< fewest records that an attacker who knows f cannot exclude
  std::int32_t worst = 0;     ///< the target of these records
  std::int32_t distinct = 0;  ///< fewest distinct sensitive values among them; 0 without
};

/// The level under `guarantee` if the attacker knows f to within d, for each function alone and for
/// all at once, which is never more.
///   candidates  the number of published intervals that meet [f - d|f|, f + d|f|], least over all
///               original records. Without originals, f may lie anywhere in the target's own
///               interval. The least number over these values counts, for one function at a time.
///   identical   the number of published intervals whose ends are each within d of the target's, by
///               the magnitude of either
///
/// Integers are compared exactly; other numbers within (attributes)^2 2^-50 of the largest
/// magnitude, the error of adding doubles.
///
/// Throws invalid_parameter without a function, unless 0 <= d < 1, or for several functions without
/// originals. Throws invalid_data without a record or for a low above its high. O(n log n). Several
/// functions, or sensitive values, add the search for more than k records each, nearest intervals
/// first.
AggregateLevel aggregate_level(const PublishedRanges& release,
                               const std::vector<AggregateFunction>& functions, double d,
                               AggregateGuarantee guarantee, Ticker& ticker);

/// The mean width of the published intervals of f, in f's own unit. O(n).
double mean_interval_width(const PublishedRanges& release, const AggregateFunction& function,
                           Ticker& ticker);

}  // namespace anonkit
