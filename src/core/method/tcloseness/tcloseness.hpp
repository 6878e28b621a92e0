#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "search/refine.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "space/space.hpp"

namespace anonkit {

/// How k-anonymous t-close classes are formed.
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
  /// The search of 'best': some 20 seconds for a thousand records.
  RefineOptions search = {Effort::thorough, 0, 0.6, {}, 0};
};

struct TClosenessClasses {
  Partition partition;        ///< numbered by first record
  Record cluster_size = 0;    ///< Algorithm 3's, from formulas (3) and (4); else 0
  std::int64_t swaps = 0;     ///< made where ties or remainders had broken t
  ClassId mergers = 0;        ///< classes that were merged into others
  bool single_class = false;  ///< nothing finer was found: the release says one thing of all
  TClosenessAlgorithm start = TClosenessAlgorithm::t_first;  ///< what 'best' went on from
  bool reproducible = true;  ///< false if the clock ended the search
};

/// The algorithm of that name ('merge', 'k_first', 't_first', 'sabre', 'best'), or null.
const TClosenessAlgorithm* find_tcloseness_algorithm(std::string_view name);

/// Classes of k records or more in which the EMD of every sensitive attribute is at most its t,
/// by the algorithms of J. Soria-Comas, J. Domingo-Ferrer, D. Sanchez, S. Martinez: t-closeness
/// through microaggregation. IEEE TKDE 27(11), 2015. Algorithms 1 and 2 as printed, with Algorithm
/// 1's merging after both. Algorithm 3 and SABRE rank by the first attribute; what ties, remainders
/// and the other attributes leave above t is repaired by swaps, then by merging. 'best' never loses
/// more (SSE) than any of the others that it tried: all of them, without Algorithm 2 beyond 20,000
/// records, where that takes too long.
///
/// Always succeeds: one class of all records is t-close. Throws invalid_parameter unless
/// 1 <= k <= n and 0 < t <= 1 for each attribute.
TClosenessClasses tcloseness(const Space& space, const std::vector<SensitiveAttribute>& attributes,
                             const TClosenessOptions& options, Ticker& ticker);

}  // namespace anonkit
