#pragma once

#include <vector>

#include "base/ticker.hpp"
#include "table/nulls/null_pattern.hpp"

namespace anonkit {

struct PatternCount {
  NullPattern pattern;
  std::int64_t records;  ///< at least 1
};

/// `records` records of patterns[from] are blanked to the pattern `to`.
struct Blanking {
  std::size_t from;
  NullPattern to;
  std::int64_t records;
};

struct BlankingPlan {
  std::vector<Blanking> blankings;  ///< by `from`, then by number of nulls of `to`
  std::int64_t cells = 0;           ///< blanked in all
  bool least = false;               ///< proven: no plan blanks fewer cells
};

/// The work after which the search for the least plan ends, in arcs looked at: less than 0.5 s.
constexpr std::int64_t kBlankingEffort = std::int64_t{1} << 26;

/// Which records to blank so that every pattern of nulls ends with none or at least k of them: a
/// record may go to any pattern that covers its own, at one cell for every additional null. The
/// patterns are distinct and have k records or more in all. Deterministic.
///
/// Three steps. A greedy one settles the small patterns (fewer than k records), those with the
/// fewest nulls first, each in the cheapest of three ways: filled from patterns that it covers,
/// moved to one that covers it, or joined with another in their union. It costs O(small patterns *
/// patterns). Descent then decides pattern by pattern whether records may end there, with the
/// cheapest transport for each decision (PatternFlow). Last, branch and bound: patterns are decided
/// one at a time where the transport leaves one of them with 1 .. k-1 records.
///
/// Exact as long as the unions of the patterns number at most 256 (always with up to eight columns
/// that have nulls) and the search ends within `effort`, which is the rule up to some ten small
/// patterns; `least` tells. Otherwise the best plan found: in the given patterns and those of the
/// greedy step if all unions are too many, and of the greedy step alone if these are more than 256,
/// too. With more than 1000 small patterns, columns are blanked in all of their records beforehand,
/// those with the most nulls first, until that many are left.
BlankingPlan plan_blanking(const std::vector<PatternCount>& patterns, std::int64_t k,
                           Ticker& ticker, std::int64_t effort = kBlankingEffort);

}  // namespace anonkit
