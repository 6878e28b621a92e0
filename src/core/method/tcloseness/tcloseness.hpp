#pragma once

// k-anonymous t-close classes by the published algorithms, and by a search that starts from them.
//
// Phases: the algorithm forms classes, swaps and then mergers repair those above t, and 'best' also
// searches for less loss. Invariant: every class of the result has k records and is within t of
// each attribute. Memory: one spatial index, and one per subset for Algorithm 3 and SABRE.
//
//   TClosenessOptions options;
//   options.k = 5, options.algorithm = TClosenessAlgorithm::merge;
//   const TClosenessClasses classes = tcloseness(space, attributes, options, ticker);

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "search/refine.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "space/space.hpp"

namespace anonkit {

/// The algorithms for k-anonymous t-close classes.
enum class TClosenessAlgorithm : std::uint8_t {
  merge,    ///< Algorithm 1: microaggregation, then merging
  k_first,  ///< Algorithm 2: k-anonymity-first, then merging
  t_first,  ///< Algorithm 3: t-closeness-first
  sabre,    ///< buckets and redistribution (Cao, Karras, Kalnis and Tan 2011)
  best,     ///< the above as starts of a search for less loss
};

struct TClosenessOptions {
  TClosenessAlgorithm algorithm = TClosenessAlgorithm::t_first;
  Record k = 1;
  /// V-MDAV with this gamma as Algorithm 1's microaggregation; MDAV if negative.
  double gamma = -1;
  /// The search of 'best': nearly a minute for a thousand records.
  RefineOptions search = {Effort::thorough, 0, 1, {}, 0, true, false};
};

struct TClosenessClasses {
  Partition partition;        ///< numbered by first record
  Record cluster_size = 0;    ///< Algorithm 3's, from formulas (3) and (4); else 0
  std::int64_t swaps = 0;     ///< repairs after ties or remainders broke t
  ClassId mergers = 0;        ///< classes merged into others
  bool single_class = false;  ///< no finer partition was found
  TClosenessAlgorithm start = TClosenessAlgorithm::t_first;  ///< the start of the best result, for
                                                             ///< 'best'
  bool reproducible = true;  ///< false if the clock ended the search
};

/// The algorithm of that name ('merge', 'k_first', 't_first', 'sabre', 'best'), or null.
const TClosenessAlgorithm* find_tcloseness_algorithm(std::string_view name);

/// Classes of at least k records in which the EMD of every sensitive attribute is at most its t, by
/// the algorithms of J. Soria-Comas, J. Domingo-Ferrer, D. Sanchez, S. Martinez: t-closeness
/// through microaggregation. IEEE TKDE 27(11), 2015. Algorithms 1 and 2 are as printed, with
/// Algorithm 1's merging after both. Algorithm 3 and SABRE rank by the first attribute. Swaps, then
/// merging, repair classes that ties, remainders or other attributes leave above t.
///
/// 'best' never has more loss (SSE as published) than any algorithm that it tried. A search that
/// tries every start tries all of them, with two exceptions. Algorithm 2 would take too long above
/// 20,000 records, and Algorithm 1 does not run on points of equal records. Another one starts from
/// the algorithm that wins on a sample, without Algorithm 2; and from points, where many records
/// share one.
///
/// Always succeeds: one class of all records is t-close. Throws invalid_parameter unless 1 <= k <=
/// n and 0 < t <= 1 for each attribute.
TClosenessClasses tcloseness(const Space& space, const std::vector<SensitiveAttribute>& attributes,
                             const TClosenessOptions& options, Ticker& ticker);

}  // namespace anonkit
