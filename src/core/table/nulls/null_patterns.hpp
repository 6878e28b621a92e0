#pragma once

#include <set>
#include <vector>

#include "base/ticker.hpp"
#include "table/nulls/null_pattern.hpp"

namespace anonkit {

using Patterns = std::set<NullPattern, FewerNulls>;

/// The most patterns in which a search lets records end.
constexpr std::size_t kCandidates = 256;

/// All unions of the patterns, or more than kCandidates of them. In an optimal plan every final
/// pattern is the union of the patterns of its records.
Patterns unions_of(const std::vector<NullPattern>& patterns);

struct PatternCount {
  NullPattern pattern;
  std::int64_t records;  ///< at least 1
};

/// `records` records of patterns[from] are suppressed to the pattern `to`.
struct Blanking {
  std::size_t from;
  NullPattern to;
  std::int64_t records;
};

struct BlankingPlan {
  std::vector<Blanking> blankings;  ///< by `from`, then by number of nulls of `to`
  std::int64_t cells = 0;           ///< suppressed cells in all
  bool least = false;               ///< proven: no plan suppresses fewer cells
};

/// The work limit of the search for an optimal plan, in arcs visited: less than 0.5 s.
constexpr std::int64_t kBlankingEffort = std::int64_t{1} << 26;

/// Plans the suppression of cells after which every null pattern has either no record or at least
/// k. A record may move to any pattern that covers its own, at a cost of one cell per additional
/// null. The patterns are distinct and have at least k records in all. Deterministic.
///
/// Phase 1, greedy, settles the small patterns (fewer than k records) in ascending order of nulls.
/// It takes the cheapest of three ways. It fills the pattern from those that it covers, moves its
/// records to one that covers it, or unites it with another one. It costs O(small patterns *
/// patterns). Phase 2, descent, decides pattern by pattern whether records may end there.
/// PatternFlow gives the cheapest transport for each decision. Phase 3, branch and bound, decides
/// one pattern at a time where the transport leaves 1 .. k-1 records.
///
/// The plan is exact if the patterns have at most 256 unions and the search ends within `effort`;
/// then `least` is true. Eight columns with nulls never have more unions, and some ten small
/// patterns usually stay within `effort`. With more unions, the search covers the given patterns
/// and those of the greedy phase. If those exceed 256 too, the greedy plan is final. With more than
/// 1000 small patterns, columns are first suppressed in all their records, those with the most
/// nulls first.
BlankingPlan plan_blanking(const std::vector<PatternCount>& patterns, std::int64_t k,
                           Ticker& ticker, std::int64_t effort = kBlankingEffort);

}  // namespace anonkit
