#pragma once

// Risk in the population of a weighted sample.
//
// A record of sampling weight w stands for w records of the population, so the sum F of a class's
// weights estimates its size there. The estimate alone is too sure of small classes; Benedetti and
// Franconi give the size a distribution. Invariant: with all weights 1 the sample is its
// population, and every figure is that of a prosecutor.
//
//   const std::vector<double> sums = class_weights(class_of, unit_of, weights, classes, ticker);
//   const WeightedRisk risk = weighted_risk(sizes, sums, 0.09, ticker);
//   const double most = risk.individual.largest;

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "risk/reidentification.hpp"

namespace anonkit {

/// The individual risk (R. Benedetti, L. Franconi: Statistical and technological solutions for
/// controlled data dissemination. NTTS 1998): the mean of 1 / F, given that f of the F records of a
/// class were sampled. F has a negative binomial posterior, of f successes with probability p =
/// f / `population`. 1 / f if the population has no more than f. O(1).
double individual_risk(std::int64_t records, double population);

/// By class, the sum of the weights of its members: records, or persons with units, who have the
/// same weight in all of their records. Weights are at least 1. Throws invalid_data for a person of
/// several weights. The sums do not depend on the order of the rows, to the last digit. O(n log n).
std::vector<double> class_weights(const std::vector<std::int32_t>& class_of,
                                  const std::vector<std::int32_t>& unit_of,
                                  const std::vector<double>& weights, std::int32_t classes,
                                  Ticker& ticker);

struct WeightedRisk {
  double population = 0;        ///< the sum of all weights
  Reidentification journalist;  ///< 1 / the sum of the class's weights
  Reidentification individual;
  double matches = 0;  ///< expected right matches if all members are matched with the population
  double uniques = 0;  ///< expected members that are unique in the population
};
/// `sizes` are the members of the classes, none of them 0, `sums` their weights. O(classes).
WeightedRisk weighted_risk(const std::vector<std::int64_t>& sizes, const std::vector<double>& sums,
                           double threshold, Ticker& ticker);

}  // namespace anonkit
