#pragma once

#include "base/ticker.hpp"
#include "risk/cells.hpp"

namespace anonkit {

/// What somebody achieves who knows the original records and links each with the masked record
/// that fits best, by chance where several fit equally well.
struct Linkage {
  std::int64_t records = 0;
  std::int64_t single = 0;   ///< records that one masked record alone fits best
  std::int64_t correct = 0;  ///< of these, linked with their own image
  double candidates = 0;     ///< mean number of masked records that fit best
  double expected = 0;       ///< expected correct links; where nobody knows the images, at most
  double by_chance = 0;      ///< expected correct links of a blind guess
};

/// Links by distance (J. Domingo-Ferrer, V. Torra: Disclosure risk assessment in statistical
/// microdata protection via advanced record linkage. Statistics and Computing 13, 2003). Exact,
/// with the spatial index.
Linkage link_by_distance(const CellsPair& pair, Ticker& ticker);

/// What was learnt of one column by probabilistic linkage.
struct Agreement {
  double if_match;     ///< m: the chance that a pair of one person agrees
  double if_no_match;  ///< u: the chance that a pair of two persons does
};

struct ProbabilisticLinkage {
  Linkage linkage;
  std::vector<Agreement> agreements;  ///< one a column
  double matches = 0;                 ///< the share of pairs that match, as estimated
};

/// Links by the weights of Fellegi and Sunter (A theory for record linkage. JASA 64, 1969), with m
/// and u estimated by EM (M. A. Jaro, JASA 84, 1989) over all pairs of records. The pairs are not
/// listed: those that agree at least in some columns are counted class by class, and those that
/// agree in exactly these follow. A column whose agreement does not speak for a match is left out.
/// What agrees says agreement.hpp, also what is refused. Throws invalid_parameter for more than 12
/// columns. O(2^d n).
ProbabilisticLinkage link_by_probability(const CellsPair& pair, Ticker& ticker);

}  // namespace anonkit
