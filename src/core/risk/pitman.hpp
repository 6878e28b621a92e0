#pragma once

// Pitman's model of the classes of a population (N. Hoshino: Applying Pitman's sampling formula to
// microdata disclosure risk assessment. Journal of Official Statistics 17(4), 2001).

#include "base/ticker.hpp"
#include "risk/population_uniques.hpp"

namespace anonkit {

/// 0 <= alpha < 1 and theta > -alpha. At alpha = 0 the model is Ewens's.
struct PitmanParameters {
  double alpha;
  double theta;
};
/// Fits the model by maximum likelihood over all parameters, the boundary alpha = 0 included. NaN
/// for a sample of one class or of uniques only, whose likelihood has no maximum. O(largest size).
PitmanParameters fit_pitman(const SampleSizes& sample, Ticker& ticker);
/// The log-likelihood of the parameters, without its constant. O(largest size).
double pitman_likelihood(const SampleSizes& sample, const PitmanParameters& at, Ticker& ticker);
/// Estimates by the fitted model; NaN if it cannot be fitted. The expected uniques are exact, not
/// their limit.
PopulationEstimate pitman_uniques(const SampleSizes& sample, Ticker& ticker);

}  // namespace anonkit
