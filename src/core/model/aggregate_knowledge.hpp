#pragma once

#include <cstdint>
#include <vector>

#include "base/aggregate_function.hpp"
#include "base/ticker.hpp"

namespace anonkit {

/// A release in ranges, judged for what attackers know of f (k^f- and k^(f,d)-anonymity:
/// O. Gkountouna, K. Lepenioti, M. Terrovitis 2013, Definitions 1 and 2). Shares with the
/// algorithms the names of the functions and guarantees only.
struct PublishedRanges {
  std::int32_t records = 0;
  int attributes = 0;
  const double* low = nullptr;  ///< records x attributes, row-major; [v, v] if kept
  const double* high = nullptr;
  const double* original = nullptr;         ///< records x attributes of the same records, or null
  const std::int32_t* sensitive = nullptr;  ///< published with each record, or null
};

/// What the release achieves, and the record that keeps it from more (the first of several).
struct AggregateLevel {
  std::int32_t k = 0;      ///< fewest records that somebody who knows f cannot tell from a target
  std::int32_t worst = 0;  ///< that target
  std::int32_t distinct = 0;  ///< fewest distinct sensitive values among such records; 0 without
};

/// The level under `guarantee` when f is known to within d, for each of the functions alone and for
/// all at once (the latter is never more).
///   candidates  the number of published intervals that meet [f - d|f|, f + d|f|], least over all
///               original records. Without the originals f may lie anywhere in the target's own
///               interval; the least over all that it may be counts, for one function at a time.
///   identical   the number of published intervals whose ends are each within d of the target's, by
///               either's magnitude
///
/// Whole numbers are compared exactly; others to within (attributes)^2 2^-50 of the largest
/// magnitude, the error of adding doubles.
/// Throws invalid_parameter if there is no function, d is not in [0, 1), or several functions are
/// to be judged without the originals; invalid_data if there is no record or a low above its high.
/// O(n log n) and, with several functions, or sensitive values, what it takes to find more than k
/// records for each, starting with the nearest intervals.
AggregateLevel aggregate_level(const PublishedRanges& release,
                               const std::vector<AggregateFunction>& functions, double d,
                               AggregateGuarantee guarantee, Ticker& ticker);

/// The mean width of the published intervals of f, in f's own unit. O(n).
double mean_interval_width(const PublishedRanges& release, const AggregateFunction& function,
                           Ticker& ticker);

}  // namespace anonkit
