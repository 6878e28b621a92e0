#pragma once

// Estimates of the number of records that are unique in a population, from the class sizes of a
// sample.
//
// Each estimator fits a model of the distribution of classes; if it cannot be fitted, the estimate
// is NaN. Invariant: estimates are reported and never decide anything. Memory: one count per class
// size.
//
//   const SampleSizes sample = sample_sizes(sizes, 1e6);  // class sizes; a population of a million
//   const PopulationEstimate estimate = snb_uniques(sample);
//   const double uniques = estimate.uniques;              // NaN if the fit fails

#include <cstdint>
#include <vector>

#include "base/unknown.hpp"

namespace anonkit {

/// Class sizes and the estimators on them.

/// The input of an estimator: the number of classes of each size, and the size of the population.
struct SampleSizes {
  std::vector<std::int64_t> classes_of_size;  ///< index is the size; [0] is unused
  std::int64_t records = 0;
  std::int64_t classes = 0;
  double population = 0;

  double uniques() const {
    return classes_of_size.size() > 1 ? static_cast<double>(classes_of_size[1]) : 0;
  }
  double fraction() const { return static_cast<double>(records) / population; }
};
/// Counts the classes by size. Throws invalid_parameter if the population is smaller than the
/// sample. O(classes).
SampleSizes sample_sizes(const std::vector<std::int64_t>& sizes, double population);

struct PopulationEstimate {
  double uniques;  ///< records that are unique in the population
  double classes;  ///< of the population; NaN if the model does not estimate them
};

/// Zayatz's estimator (L. V. Zayatz: Estimation of the percent of unique population elements on a
/// microdata file using the sample. US Bureau of the Census, 1991): Bayes' theorem with the
/// sample's class sizes as the prior of the population's. O(sizes).
PopulationEstimate zayatz_uniques(const SampleSizes& sample);

/// The slide negative binomial model (G. Chen, S. Keller-McNulty: Estimation of identification
/// disclosure risk in microdata. Journal of Official Statistics 14(1), 1998): a class of the
/// population has 1 + NB(alpha, beta) records. The fit equates the expected classes and uniques of
/// the sample with those found.
struct SnbParameters {
  double alpha;
  double beta;
  double classes;  ///< of the population
};
/// Fits the model by bisection. NaN for a complete or all-unique sample, and without a solution.
SnbParameters fit_snb(const SampleSizes& sample);
/// Estimates by the fitted model; NaN if it cannot be fitted.
PopulationEstimate snb_uniques(const SampleSizes& sample);

}  // namespace anonkit
