#pragma once

#include "base/fraction_sum.hpp"
#include "base/ticker.hpp"
#include "risk/cells.hpp"

namespace anonkit {

/// The success of an attacker who knows the original records and links each with the best matching
/// masked record, at random among equally good ones.
struct Linkage {
  std::int64_t records = 0;
  std::int64_t single = 0;   ///< records with a unique best match
  std::int64_t correct = 0;  ///< of these, linked with their own image
  double candidates = 0;     ///< mean number of best matches
  FractionSum links;         ///< by record 1 / its best matches, if its own image may be among them
  double expected = 0;   ///< their sum: expected correct links, or an upper bound without images
  double by_chance = 0;  ///< expected correct links of a blind guess

  /// Adds the links of one original record.
  void note(std::int64_t of_candidates, bool images_known, bool is_among);
  /// Adds the links of other original records.
  Linkage& operator+=(const Linkage& other);
  /// Completes the links of all original records.
  void finish(const CellsPair& pair);
};

/// The estimated agreement of one column in probabilistic linkage.
struct Agreement {
  double if_match;     ///< m: the probability that two records of one person agree
  double if_no_match;  ///< u: the probability that records of two persons agree
};

struct ProbabilisticLinkage {
  Linkage linkage;
  std::vector<Agreement> agreements;  ///< by column
  double matches = 0;                 ///< the estimated share of matching pairs
};

/// Linkage by the weights of Fellegi and Sunter (A theory for record linkage. JASA 64, 1969), with
/// m and u estimated by EM (M. A. Jaro, JASA 84, 1989) over all pairs of records. Pairs are not
/// listed. Counts by class give the pairs that agree at least in some columns. These yield the
/// pairs that agree in exactly these columns. Columns whose agreement does not indicate a match are
/// left out. agreement.hpp defines agreement and the errors. Throws invalid_parameter for more than
/// 12 columns. O(2^d n).
ProbabilisticLinkage link_by_probability(const CellsPair& pair, Ticker& ticker);

}  // namespace anonkit
