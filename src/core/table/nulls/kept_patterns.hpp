#pragma once

// Suppression of cells until the records of every null pattern keep the promises, not only k.
//
// Phases: a plan for k alone is filled with records chosen by their values; patterns that break the
// promises are repaired one by one; cells that need no suppression come back; a search by the
// number of cells proves the plan or finds a cheaper one. Invariant: every pattern is allowed or
// empty, or all records are in one. Memory O(kinds * patterns).
//
//   const KeptPlan plan = plan_kept_blanking(kinds, rule, k, ticker);

#include <functional>
#include <vector>

#include "base/record.hpp"
#include "base/ticker.hpp"
#include "table/nulls/null_pattern.hpp"

namespace anonkit {

/// Records of one null pattern that are alike in all that promises concern.
struct RecordKind {
  NullPattern pattern;
  std::vector<std::int32_t> codes;  ///< by attribute
  Record example;                   ///< one of them
  std::int64_t records;             ///< at least 1
};

/// True if these records may be all those of a null pattern. Equal ones are repeated.
using PatternRule = std::function<bool(const std::vector<Record>&)>;

/// `records` records of kinds[kind] are suppressed to the pattern `to`.
struct KindBlanking {
  std::size_t kind;
  NullPattern to;
  std::int64_t records;
};

struct KeptPlan {
  std::vector<KindBlanking> blankings;  ///< by kind
  std::int64_t cells = 0;               ///< suppressed cells in all
  bool least = false;                   ///< proven: no plan suppresses fewer cells
};

/// The work limit of the search, in records that the rule is asked about: about a second.
constexpr std::int64_t kKeptEffort = std::int64_t{1} << 23;

/// Plans the suppression of cells after which the rule allows the records of every null pattern
/// that has any. If it does not even allow all records together, they may end in one pattern.
///
/// Whether a set of records is allowed is the rule's affair, so this asks it and knows no promise.
/// A pattern that breaks one is repaired in the cheapest of four ways: it is filled from the
/// patterns that it covers, with values that it lacks most in comparison with all records; the
/// values that it has most in excess leave it; all its records leave it; or it is united with
/// another pattern, which always ends.
///
/// The search is exact if it completes within `effort`; then `least` is true. A plan of c cells
/// differs from no suppression in at most c moves, and some further move must enter or leave a
/// pattern that is not allowed yet. So it branches on these moves, for c = 0, 1, ... below the cost
/// of the plan that is known. Deterministic: ties go to the first kind.
KeptPlan plan_kept_blanking(const std::vector<RecordKind>& kinds, const PatternRule& rule,
                            std::int64_t k, Ticker& ticker, std::int64_t effort = kKeptEffort);

}  // namespace anonkit
