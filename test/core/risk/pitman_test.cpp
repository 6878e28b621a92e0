#include "risk/pitman.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "base/random.hpp"
#include "fixture/reference_data.hpp"

namespace anonkit {
namespace {

std::vector<std::int64_t> sizes_of(const std::vector<std::string>& records) {
  std::map<std::string, std::int64_t> count;
  for (const std::string& record : records) ++count[record];
  std::vector<std::int64_t> sizes;
  for (const auto& [record, size] : count) sizes.push_back(size);
  return sizes;
}

/// The likelihood, factor by factor.
double likelihood_of(const std::vector<std::int64_t>& sizes, double alpha, double theta) {
  double sum = 0;
  double n = 0;
  for (std::size_t i = 1; i < sizes.size(); ++i)
    sum += std::log(theta + static_cast<double>(i) * alpha);
  for (const std::int64_t size : sizes) {
    for (std::int64_t j = 1; j < size; ++j) sum += std::log(static_cast<double>(j) - alpha);
    n += static_cast<double>(size);
  }
  for (double i = 1; i < n; ++i) sum -= std::log(theta + i);
  return sum;
}

/// The most likely parameters of a grid that closes in on its best point.
PitmanParameters most_likely_of_grid(const std::vector<std::int64_t>& sizes) {
  constexpr int kSteps = 12;
  double low = 0, high = 0.98, log_low = -8, log_high = 14;
  PitmanParameters best = {0, 0};
  for (int round = 0; round < 14; ++round) {
    double greatest = -INFINITY;
    double best_log = 0;
    for (int i = 0; i <= kSteps; ++i) {
      for (int j = 0; j <= kSteps; ++j) {
        const double alpha = low + (high - low) * i / kSteps;
        const double log_theta = log_low + (log_high - log_low) * j / kSteps;
        const double likelihood = likelihood_of(sizes, alpha, std::exp(log_theta) - alpha);
        if (likelihood <= greatest) continue;
        greatest = likelihood;
        best = {alpha, std::exp(log_theta) - alpha};
        best_log = log_theta;
      }
    }
    const double reach = (high - low) / 3;
    const double log_reach = (log_high - log_low) / 3;
    low = std::max(0.0, best.alpha - reach);
    high = std::min(0.999, best.alpha + reach);
    log_low = best_log - log_reach;
    log_high = best_log + log_reach;
  }
  return best;
}

/// The expected uniques and classes of a population that grows record by record: the next record
/// founds a class with probability (theta + classes alpha) / (theta + records), and joins a unique
/// with probability uniques (1 - alpha) / (theta + records).
PopulationEstimate grown(const PitmanParameters& at, int population) {
  double uniques = 1;
  double classes = 1;
  for (int i = 1; i < population; ++i) {
    const double founds = (at.theta + classes * at.alpha) / (at.theta + i);
    uniques += founds - uniques * (1 - at.alpha) / (at.theta + i);
    classes += founds;
  }
  return {uniques, classes};
}

struct Fit {
  PitmanParameters parameters;
  PopulationEstimate estimate;
};

/// Fits a sample and asserts that no point of the grid is more likely.
Fit checked_fit(const std::vector<std::int64_t>& sizes, int population) {
  SilentTicker ticker;
  const SampleSizes sample = sample_sizes(sizes, population);
  const PitmanParameters at = fit_pitman(sample, ticker);
  const PitmanParameters grid = most_likely_of_grid(sizes);
  const double likelihood = likelihood_of(sizes, at.alpha, at.theta);
  EXPECT_NEAR(pitman_likelihood(sample, at, ticker), likelihood,
              1e-12 * std::fabs(likelihood) + 1e-11);
  const double of_grid = likelihood_of(sizes, grid.alpha, grid.theta);
  EXPECT_GE(likelihood, of_grid - 1e-9 * std::fabs(likelihood));
  EXPECT_NEAR(likelihood, of_grid, 0.5);
  const PopulationEstimate estimate = pitman_uniques(sample, ticker);
  const PopulationEstimate reference = grown(at, population);
  EXPECT_NEAR(estimate.uniques, reference.uniques, 1e-7 * reference.uniques);
  EXPECT_NEAR(estimate.classes, reference.classes, 1e-7 * reference.classes);
  EXPECT_GE(estimate.uniques, 0);
  EXPECT_GE(estimate.classes, static_cast<double>(sizes.size()));
  EXPECT_LE(estimate.classes, population);
  return {at, estimate};
}

TEST(Pitman, LikelihoodIsTheProductOfItsFactors) {
  std::vector<std::int64_t> sizes(100, 1);
  sizes.insert(sizes.end(), {2, 2, 3, 50});
  SilentTicker ticker;
  const SampleSizes sample = sample_sizes(sizes, 1000);
  for (const double alpha : {0.0, 1e-9, 1e-4, 1e-3, 1e-2, 0.1, 0.9})
    for (const double theta : {0.5, 30.0, 100.0, 1e4}) {
      const double expected = likelihood_of(sizes, alpha, theta);
      EXPECT_NEAR(pitman_likelihood(sample, {alpha, theta}, ticker), expected,
                  1e-12 * std::fabs(expected) + 1e-11)
          << alpha << " " << theta;
    }
}

TEST(Pitman, MeetsTheBoundary) {
  const Fit fit = checked_fit({1, 2, 2, 2, 2, 2, 3, 3, 3}, 1000000);
  EXPECT_EQ(fit.parameters.alpha, 0);
  EXPECT_NEAR(fit.estimate.uniques, 5.72, 0.005);
}

TEST(Pitman, HasNoMaximumForOneClassOrForUniquesOnly) {
  SilentTicker ticker;
  EXPECT_TRUE(std::isnan(pitman_uniques(sample_sizes({7}, 100), ticker).uniques));
  EXPECT_TRUE(std::isnan(pitman_uniques(sample_sizes({1, 1, 1}, 100), ticker).uniques));
}

TEST(Pitman, IsTheMostLikelyOfAnySample) {
  Random random(5);
  int boundary = 0;
  int below = 0;
  for (int round = 0; round < 60; ++round) {
    // Sizes with more and more of large classes: near-equal ones at first, long tails at the end.
    std::vector<std::int64_t> sizes = {1, 2};
    for (std::uint32_t c = 2 + random.below(60); c > 0; --c) {
      std::int64_t size = 1 + random.below(3);
      while (size < 300 && random.below(60) < static_cast<std::uint32_t>(round))
        size += 1 + size / 2;
      sizes.push_back(size);
    }
    std::int64_t records = 0;
    for (const std::int64_t size : sizes) records += size;
    const Fit fit = checked_fit(sizes, static_cast<int>(records) * 20);
    if (fit.parameters.alpha == 0) ++boundary;
    if (fit.parameters.theta < 0) ++below;
  }
  EXPECT_GT(boundary, 5);
  EXPECT_LT(boundary, 55);
  EXPECT_GT(below, 0);
}

// A population of 1e15: the gamma functions of the closed form have logarithms of 3e16.
TEST(Pitman, HasAnEstimateForAnyPopulation) {
  SilentTicker ticker;
  const std::vector<std::int64_t> sizes = {1, 1, 1, 1, 2, 2, 3, 9, 20};
  const double alpha = fit_pitman(sample_sizes(sizes, 1e6), ticker).alpha;
  ASSERT_GT(alpha, 0);
  const auto uniques = [&](double population) {
    return pitman_uniques(sample_sizes(sizes, population), ticker).uniques;
  };
  EXPECT_NEAR(uniques(1e15) / uniques(1e14), std::pow(10, alpha), 1e-9);
}

/// Every so many rows of Adult, in these columns.
std::vector<std::int64_t> adult_sample(const std::vector<std::string>& columns, std::size_t every) {
  std::ifstream in(reference_file("adult.csv"));
  std::string line;
  std::vector<std::string> records;
  if (!std::getline(in, line)) return {};
  const std::vector<std::string> header = csv_fields(line);
  for (std::size_t row = 0; std::getline(in, line); ++row) {
    if (row % every != 0) continue;
    const std::vector<std::string> fields = csv_fields(line);
    std::string record;
    for (const std::string& column : columns)
      record += fields.at(static_cast<std::size_t>(std::find(header.begin(), header.end(), column) -
                                                   header.begin())) +
                '|';
    records.push_back(record);
  }
  return sizes_of(records);
}

TEST(Pitman, MeetsTheBoundaryOnTwelveRealSamples) {
  if (adult_sample({"age"}, 1).empty()) GTEST_SKIP() << not_present("adult.csv");
  const std::vector<std::vector<std::string>> sets = {
      {"age", "sex"}, {"age"}, {"education", "sex"}, {"education"}};
  for (const auto& columns : sets)
    for (const std::size_t every : {25, 32, 97})
      EXPECT_EQ(checked_fit(adult_sample(columns, every), 48842).parameters.alpha, 0);
}

}  // namespace
}  // namespace anonkit
