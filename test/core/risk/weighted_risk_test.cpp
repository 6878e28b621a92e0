#include "risk/weighted_risk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/random.hpp"

namespace anonkit {
namespace {

/// The integral over 0 <= u <= 1 of p u^(f-1) / (p + q u) by double exponential quadrature
/// (H. Takahasi, M. Mori 1974): u = 1 / (1 + exp(-pi sinh x)), trapezoids in x.
double by_quadrature(std::int64_t f, double population) {
  const long double p = static_cast<long double>(f) / population;
  const long double pi = std::acos(-1.0L);
  constexpr long double kStep = 0.005L;
  long double sum = 0;
  for (long double x = -5; x <= 5; x += kStep) {
    const long double u = 1 / (1 + std::exp(-pi * std::sinh(x)));
    const long double rest = 1 / (1 + std::exp(pi * std::sinh(x)));  // 1 - u
    sum += pi * std::cosh(x) * u * rest * p * std::pow(u, static_cast<long double>(f - 1)) /
           (p + (1 - p) * u);
  }
  return static_cast<double>(sum * kStep);
}

/// The mean of 1/h over the negative binomial posterior, term by term.
double by_posterior(std::int64_t f, double population) {
  const double p = static_cast<double>(f) / population;
  double chance = std::pow(p, static_cast<double>(f));
  double mean = 0;
  for (auto h = static_cast<double>(f); chance > 1e-18 || h < 2 * population; ++h) {
    mean += chance / h;
    chance *= (1 - p) * h / (h - static_cast<double>(f) + 1);
  }
  return mean;
}

TEST(IndividualRisk, IsTheIntegralOfBenedettiAndFranconi) {
  for (const std::int64_t f : {1, 2, 3, 7, 29, 30, 31, 100, 1000})
    for (const double weight :
         {1.0, 1.000001, 1.01, 1.5, 1.99, 2.0, 2.01, 3.0, 10.0, 1234.5, 1e6}) {
      const double population = static_cast<double>(f) * weight;
      const double exact = by_quadrature(f, population);
      ASSERT_NEAR(individual_risk(f, population) / exact, 1, 1e-11) << f << " by " << weight;
    }
}

TEST(IndividualRisk, IsTheMeanOfThePosterior) {
  for (const std::int64_t f : {1, 2, 5, 12, 40})
    for (const double weight : {1.1, 2.0, 7.0, 25.0}) {
      const double population = static_cast<double>(f) * weight;
      ASSERT_NEAR(individual_risk(f, population) / by_posterior(f, population), 1, 1e-9)
          << f << " by " << weight;
    }
}

// Jensen: the mean of 1/F is not below 1 / the mean of F.
TEST(IndividualRisk, LiesBetweenJournalistAndProsecutorAndFallsWithTheWeight) {
  for (std::int64_t f = 1; f <= 200; ++f) {
    double before = 1 / static_cast<double>(f);
    EXPECT_DOUBLE_EQ(individual_risk(f, static_cast<double>(f)), before);
    for (double weight = 1.01; weight < 1e9; weight *= 1.7) {
      const double population = static_cast<double>(f) * weight;
      const double risk = individual_risk(f, population);
      ASSERT_GE(risk * (1 + 1e-12), 1 / population);
      ASSERT_LT(risk, before);
      before = risk;
    }
  }
}

TEST(WeightedRisk, WithWeightsOf1IsTheProsecutors) {
  SilentTicker ticker;
  Random random(1);
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::int64_t> sizes(1 + random.below(8));
    for (std::int64_t& size : sizes) size = 1 + random.below(50);
    const std::vector<double> sums(sizes.begin(), sizes.end());
    const double threshold = 0.05 * random.below(10);
    const Reidentification prosecutor = reidentification(sizes, sizes, threshold);
    const WeightedRisk weighted = weighted_risk(sizes, sums, threshold, ticker);
    for (const Reidentification& risk : {weighted.journalist, weighted.individual}) {
      ASSERT_DOUBLE_EQ(risk.largest, prosecutor.largest);
      ASSERT_DOUBLE_EQ(risk.mean, prosecutor.mean);
      ASSERT_DOUBLE_EQ(risk.above_threshold, prosecutor.above_threshold);
    }
    ASSERT_DOUBLE_EQ(weighted.uniques, static_cast<double>(prosecutor.uniques));
    ASSERT_NEAR(weighted.matches, static_cast<double>(sizes.size()), 1e-9);
  }
}

// The posterior is that of class sizes in proportion to 1 / F. In such a population, the matches
// and the uniques are as many as expected.
TEST(WeightedRisk, ExpectsTheMatchesAndUniquesOfItsPopulation) {
  SilentTicker ticker;
  Random random(2);
  constexpr std::uint32_t kLargest = 400;
  std::vector<double> up_to = {0};
  for (std::uint32_t size = 1; size <= kLargest; ++size) up_to.push_back(up_to.back() + 1.0 / size);
  std::vector<std::int64_t> sizes;
  std::vector<double> sums;
  double matches = 0;
  int uniques = 0;
  for (int c = 0; c < 400000; ++c) {
    const double place = up_to.back() * random.below(1u << 30) / (1u << 30);
    const auto size = std::upper_bound(up_to.begin(), up_to.end(), place) - up_to.begin();
    std::int64_t drawn = 0;
    for (std::ptrdiff_t i = 0; i < size; ++i) drawn += random.below(4) == 0 ? 1 : 0;
    // Classes near the largest size would be larger in a population without one.
    if (drawn == 0 || drawn > 40) continue;
    uniques += size == 1 ? 1 : 0;
    matches += static_cast<double>(drawn) / static_cast<double>(size);
    sizes.push_back(drawn);
    sums.push_back(4.0 * static_cast<double>(drawn));
  }
  const WeightedRisk found = weighted_risk(sizes, sums, 0.1, ticker);
  EXPECT_NEAR(found.matches / matches, 1, 0.005);
  EXPECT_NEAR(found.uniques / uniques, 1, 0.02);
}

TEST(WeightedRisk, CountsAPersonOnceInEachClass) {
  SilentTicker ticker;
  Random random(3);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t rows = 1 + random.below(20);
    std::vector<std::int32_t> class_of(rows);
    std::vector<std::int32_t> unit_of(rows);
    std::vector<double> weights(rows);
    std::map<std::int32_t, std::set<std::int32_t>> members;
    for (std::size_t row = 0; row < rows; ++row) {
      class_of[row] = row == 0 ? 0 : static_cast<std::int32_t>(random.below(4));
      unit_of[row] = static_cast<std::int32_t>(random.below(6));
      weights[row] = 1 + unit_of[row] % 3;
      members[class_of[row]].insert(unit_of[row]);
    }
    const std::vector<double> sums = class_weights(class_of, unit_of, weights, 4, ticker);
    for (std::int32_t c = 0; c < 4; ++c) {
      double sum = 0;
      for (const std::int32_t unit : members[c]) sum += 1 + unit % 3;
      ASSERT_DOUBLE_EQ(sums[static_cast<std::size_t>(c)], sum);
    }
  }
  EXPECT_THROW(class_weights({0, 0}, {1, 1}, {2, 3}, 1, ticker), Error);
}

TEST(WeightedRisk, DoesNotDependOnTheOrderOfTheRows) {
  SilentTicker ticker;
  Random random(4);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t rows = 20 + random.below(60);
    const bool persons = round % 2 == 1;
    std::vector<std::int32_t> class_of(rows);
    std::vector<std::int32_t> unit_of(persons ? rows : 0);
    std::vector<double> weights(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      class_of[row] = static_cast<std::int32_t>(random.below(3));
      weights[row] = 1.1 + random.below(50) * 1.6;
      if (!persons) continue;
      unit_of[row] = static_cast<std::int32_t>(random.below(30));
      weights[row] = 1.1 + unit_of[row] * 1.6;
    }
    const std::vector<double> sums = class_weights(class_of, unit_of, weights, 3, ticker);
    for (std::uint32_t i = static_cast<std::uint32_t>(rows); i > 1; --i) {
      const std::uint32_t other = random.below(i);
      std::swap(class_of[i - 1], class_of[other]);
      std::swap(weights[i - 1], weights[other]);
      if (persons) std::swap(unit_of[i - 1], unit_of[other]);
    }
    ASSERT_EQ(class_weights(class_of, unit_of, weights, 3, ticker), sums);
  }
}

}  // namespace
}  // namespace anonkit
