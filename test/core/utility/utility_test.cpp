#include <gtest/gtest.h>

#include <cmath>

#include "fixture/random_cells.hpp"
#include "utility/distribution.hpp"
#include "utility/linear.hpp"
#include "utility/masking_loss.hpp"
#include "utility/range_queries.hpp"

namespace anonkit {
namespace {

TEST(Distribution, OfAFewNumbers) {
  const std::vector<double> values = {4, 1, 3, 2, 10};
  SilentTicker ticker;
  const Distribution found = distribution_of(sorted_column(points(values), 5, ticker));
  EXPECT_DOUBLE_EQ(found.mean, 4);
  EXPECT_DOUBLE_EQ(found.variance(), 12.5);
  EXPECT_DOUBLE_EQ(found.quantiles[2], 3);
  EXPECT_DOUBLE_EQ(found.quantiles[1], 2);
  EXPECT_DOUBLE_EQ(found.quantiles[4], 8.8);
}

TEST(Distribution, QuantilesOfNumbersWhoseDistanceOverflowsAreFinite) {
  const std::vector<double> values = {-1.6e308, 1.6e308};
  SilentTicker ticker;
  const Distribution found = distribution_of(sorted_column(points(values), 2, ticker));
  EXPECT_NEAR(found.quantiles[0] / 1.6e308, -0.9, 1e-12);
  EXPECT_NEAR(found.quantiles[2] / 1.6e308, 0, 1e-12);
  EXPECT_NEAR(found.quantiles[3] / 1.6e308, 0.5, 1e-12);
}

TEST(Distribution, OfOneWeightedNumber) {
  const std::vector<double> value = {7}, weight = {3};
  SilentTicker ticker;
  CellColumn column = points(value);
  column.weights = weight.data();
  for (const double quantile : distribution_of(sorted_column(column, 1, ticker)).quantiles)
    EXPECT_EQ(quantile, 7);
}

TEST(Distribution, AQuantileBetweenEqualNumbersIsThatNumber) {
  SilentTicker ticker;
  for (const double number : {0.1, 0.7, 1e-7 / 3, 12345.6789}) {
    const std::vector<double> values(7, number);
    for (const double quantile :
         distribution_of(sorted_column(points(values), 7, ticker)).quantiles)
      EXPECT_EQ(quantile, number);
  }
}

TEST(Distribution, KolmogorovAndSmirnovsDistanceIsTheLargestDifference) {
  Random random(2);
  SilentTicker ticker;
  for (int round = 0; round < 300; ++round) {
    std::vector<double> a(1 + random.below(10));
    std::vector<double> b(1 + random.below(10));
    for (double& x : a) x = random.below(6);
    for (double& x : b) x = random.below(6);
    double largest = 0;
    for (int x = 0; x < 6; ++x) {
      const auto share = [&](const std::vector<double>& values) {
        const auto below =
            std::count_if(values.begin(), values.end(), [&](double v) { return v <= x; });
        return static_cast<double>(below) / static_cast<double>(values.size());
      };
      largest = std::max(largest, std::fabs(share(a) - share(b)));
    }
    const auto sorted = [&](const std::vector<double>& values) {
      return sorted_column(points(values), static_cast<std::int32_t>(values.size()), ticker);
    };
    ASSERT_NEAR(kolmogorov_smirnov(sorted(a), sorted(b)), largest, 1e-12);
  }
}

TEST(Distribution, HellingersDistanceGoesFrom0To1) {
  const std::vector<std::int32_t> a = {0, 0, 1, 1};
  const std::vector<std::int32_t> b = {2, 2, 2, 2};
  const std::vector<std::int32_t> c = {0, 0, 0, 1};
  const auto column = [](const std::vector<std::int32_t>& codes) {
    CellColumn made;
    made.codes = codes.data();
    made.categories = 3;
    return made;
  };
  SilentTicker ticker;
  EXPECT_DOUBLE_EQ(hellinger(column(a), 4, column(a), 4, ticker), 0);
  EXPECT_DOUBLE_EQ(hellinger(column(a), 4, column(b), 4, ticker), 1);
  EXPECT_NEAR(hellinger(column(a), 4, column(c), 4, ticker),
              std::sqrt(1 - std::sqrt(0.5 * 0.75) - std::sqrt(0.5 * 0.25)), 1e-12);
}

/// n records of d numbers, the last of which depends on the others.
Cells dependent(std::vector<std::vector<double>>& values, int n, int d, Random& random) {
  values.assign(static_cast<std::size_t>(d), std::vector<double>(static_cast<std::size_t>(n)));
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    double sum = 5;
    for (std::size_t j = 0; j + 1 < values.size(); ++j) {
      values[j][i] = random.below(100);
      sum += static_cast<double>(j + 1) * values[j][i];
    }
    values.back()[i] = sum;
  }
  Cells cells;
  cells.rows = n;
  for (const auto& column : values) cells.columns.push_back(points(column));
  return cells;
}

/// A column and the same one with each value as often as it weighs.
struct Repeated {
  std::vector<double> values, weights, repeated;

  CellColumn weighted() const {
    CellColumn column = points(values);
    column.weights = weights.data();
    return column;
  }
  std::int32_t rows() const { return static_cast<std::int32_t>(values.size()); }
  std::int32_t all() const { return static_cast<std::int32_t>(repeated.size()); }
};

Repeated random_weights(Random& random) {
  Repeated made;
  made.values.resize(2 + random.below(9));
  for (double& x : made.values) {
    x = random.below(7);
    made.weights.push_back(1 + random.below(4));
    made.repeated.insert(made.repeated.end(), static_cast<std::size_t>(made.weights.back()), x);
  }
  return made;
}

TEST(Weights, CountARecordAsOftenAsItWeighs) {
  Random random(11);
  SilentTicker ticker;
  for (int round = 0; round < 500; ++round) {
    const Repeated a = random_weights(random);
    const Repeated b = random_weights(random);
    const Distribution found = distribution_of(sorted_column(a.weighted(), a.rows(), ticker));
    const Distribution repeated =
        distribution_of(sorted_column(points(a.repeated), a.all(), ticker));
    ASSERT_NEAR(found.mean, repeated.mean, 1e-12);
    // The variance of a sample is over its records less one, however many they stand for.
    const double n = a.rows();
    const double all = a.all();
    ASSERT_NEAR(found.variance() * (n - 1) / n, repeated.variance() * (all - 1) / all, 1e-12);
    ASSERT_NEAR(kolmogorov_smirnov(sorted_column(a.weighted(), a.rows(), ticker),
                                   sorted_column(b.weighted(), b.rows(), ticker)),
                kolmogorov_smirnov(sorted_column(points(a.repeated), a.all(), ticker),
                                   sorted_column(points(b.repeated), b.all(), ticker)),
                1e-12);
    ASSERT_NEAR(hellinger(a.weighted(), a.rows(), b.weighted(), b.rows(), ticker),
                hellinger(points(a.repeated), a.all(), points(b.repeated), b.all(), ticker), 1e-12);
  }
}

TEST(Weights, ThatAreEqualChangeNoQuantile) {
  Random random(12);
  SilentTicker ticker;
  for (int round = 0; round < 500; ++round) {
    const Repeated a = random_weights(random);
    const std::vector<double> equal(a.values.size(), 0.5 + random.below(9));
    CellColumn column = points(a.values);
    const Distribution plain = distribution_of(sorted_column(column, a.rows(), ticker));
    column.weights = equal.data();
    const Distribution weighted = distribution_of(sorted_column(column, a.rows(), ticker));
    for (std::size_t q = 0; q < kQuantiles.size(); ++q)
      ASSERT_NEAR(weighted.quantiles[q], plain.quantiles[q], 1e-12);
    ASSERT_NEAR(weighted.variance(), plain.variance(), 1e-12);
  }
}

TEST(Weights, PullAQuantileTowardsThemselves) {
  const std::vector<double> values = {1, 2, 3};
  const std::vector<double> weights = {1, 1, 8};
  CellColumn column = points(values);
  column.weights = weights.data();
  SilentTicker ticker;
  // The middles of the weights are at 0.5, 1.5 and 6, so the median's place is 3.25.
  EXPECT_DOUBLE_EQ(distribution_of(sorted_column(column, 3, ticker)).quantiles[2], 2 + 1.75 / 4.5);
}

TEST(Weights, OfARegressionAreThoseOfRepeatedRecords) {
  Random random(13);
  SilentTicker ticker;
  for (int round = 0; round < 100; ++round) {
    std::vector<std::vector<double>> values(3, std::vector<double>(12));
    std::vector<std::vector<double>> repeated(3);
    std::vector<double> weights;
    for (std::size_t i = 0; i < 12; ++i) {
      weights.push_back(1 + random.below(4));
      for (std::size_t j = 0; j < 3; ++j) {
        values[j][i] = random.below(100);
        repeated[j].insert(repeated[j].end(), static_cast<std::size_t>(weights[i]), values[j][i]);
      }
    }
    Cells weighted;
    Cells plain;
    weighted.rows = 12;
    plain.rows = static_cast<std::int32_t>(repeated[0].size());
    for (std::size_t j = 0; j < 3; ++j) {
      weighted.columns.push_back(points(values[j]));
      plain.columns.push_back(points(repeated[j]));
    }
    weighted.weigh(weights.data());
    const Moments found = moments_of(weighted, ticker);
    const Moments expected = moments_of(plain, ticker);
    ASSERT_NEAR(found.correlation(0, 1), expected.correlation(0, 1), 1e-10);
    ASSERT_LT((regression(found, 2) - regression(expected, 2)).cwiseAbs().maxCoeff(), 1e-8);
  }
}

TEST(Linear, RegressionFindsTheCoefficients) {
  Random random(3);
  SilentTicker ticker;
  std::vector<std::vector<double>> values;
  const Cells cells = dependent(values, 200, 4, random);
  const Eigen::VectorXd found = regression(moments_of(cells, ticker), 3);
  EXPECT_NEAR(found[0], 5, 1e-8);
  for (int j = 1; j < 4; ++j) EXPECT_NEAR(found[j], j, 1e-10);
}

// The mean of ten times 0.1 is another number than 0.1.
TEST(Linear, AConstantThatHasNoExactMeanDoesNotVary) {
  SilentTicker ticker;
  const std::vector<double> constant(10, 0.1);
  const std::vector<double> other = {4, 8, 1, 5, 9, 2, 6, 10, 3, 7};
  std::vector<double> weights;
  for (int i = 0; i < 10; ++i) weights.push_back(1 + i % 3 / 7.0);
  for (const double* weight : std::vector<const double*>{nullptr, weights.data()}) {
    Cells cells = {10, {points(constant), points(other)}};
    cells.weigh(weight);
    const Moments found = moments_of(cells, ticker);
    EXPECT_EQ(found.covariance(0, 0), 0);
    EXPECT_EQ(found.correlation(0, 1), 0);
    EXPECT_EQ(regression(found, 1)[1], 0);
    EXPECT_NEAR(principal_axes(found, found).original[1], 0, 1e-12);
  }
}

TEST(Linear, MomentsAreThoseOfTheDefinition) {
  Random random(4);
  SilentTicker ticker;
  std::vector<std::vector<double>> values;
  const Cells cells = dependent(values, 50, 3, random);
  const Moments found = moments_of(cells, ticker);
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) {
      double x = 0;
      double y = 0;
      double xy = 0;
      for (std::size_t i = 0; i < 50; ++i) {
        x += values[a][i] / 50;
        y += values[b][i] / 50;
        xy += values[a][i] * values[b][i];
      }
      ASSERT_NEAR(found.covariance(static_cast<int>(a), static_cast<int>(b)),
                  (xy - 50 * x * y) / 49, 1e-6);
    }
}

TEST(Linear, AxesTurnByTheAngleOfTheData) {
  Random random(5);
  SilentTicker ticker;
  std::vector<double> x(400);
  std::vector<double> y(400);
  std::vector<double> turned_x(400);
  std::vector<double> turned_y(400);
  constexpr double kAngle = 0.3;
  for (std::size_t i = 0; i < x.size(); ++i) {
    // Both have equal variance, so that standardisation preserves angles.
    const double u = 3.0 * (i % 20) - 28.5;
    const double v = 1.0 * (i / 20) - 9.5;
    x[i] = (u + v) / std::sqrt(2.0);
    y[i] = (u - v) / std::sqrt(2.0);
    turned_x[i] = std::cos(kAngle) * x[i] - std::sin(kAngle) * y[i];
    turned_y[i] = std::sin(kAngle) * x[i] + std::cos(kAngle) * y[i];
  }
  Cells original;
  Cells masked;
  original.rows = masked.rows = 400;
  original.columns = {points(x), points(y)};
  masked.columns = {points(turned_x), points(turned_y)};
  const PrincipalAxes axes =
      principal_axes(moments_of(original, ticker), moments_of(masked, ticker));
  EXPECT_NEAR(axes.angle[0], kAngle * 180 / std::acos(-1.0), 1e-9);
  EXPECT_NEAR(axes.original[0], axes.masked[0], 1e-9);
  EXPECT_NEAR(axes.original[0], 1.8, 1e-9);
}

TEST(RangeQueries, CountExactlyWhereNothingIsMasked) {
  Random random(6);
  SilentTicker ticker;
  RandomPair made;
  fill_random_pair(made, random, 60, 2, 1, 3, true);
  EXPECT_EQ(mean_query_error(made.pair.original, made.pair.original, 50, 1, 2, ticker), 0);
  const double error = mean_query_error(made.pair.original, made.pair.masked, 50, 1, 2, ticker);
  EXPECT_GT(error, 0);
  EXPECT_EQ(mean_query_error(made.pair.original, made.pair.masked, 50, 1, 2, ticker), error);
  EXPECT_NE(mean_query_error(made.pair.original, made.pair.masked, 50, 2, 2, ticker), error);
}

TEST(MaskingLoss, CountsSuppressedRecordsAsTheMeanOfAll) {
  const std::vector<double> values = {1, 2, 3, 4, 5};
  const std::vector<double> low = {1, 3};
  const std::vector<double> high = {2, 3};
  CellsPair pair;
  pair.original.rows = 5;
  pair.original.columns = {points(values)};
  pair.masked.rows = 2;
  pair.masked.columns = {points(low)};
  pair.masked.columns[0].high = high.data();
  pair.image = {0, -1, 1, -1, -1};
  SilentTicker ticker;
  const MaskingLoss loss = masking_loss(pair, 2, ticker);
  EXPECT_NEAR(loss.squared, 100 * (0.25 + 1 + 0 + 1 + 4) / 10, 1e-9);
  EXPECT_NEAR(loss.ncp, (0.25 + 0 + 3) / 5, 1e-12);
  EXPECT_EQ(loss.discernibility, 2 + 3 * 5);
  pair.image.clear();
  const MaskingLoss without_key = masking_loss(pair, 2, ticker);
  EXPECT_TRUE(std::isnan(without_key.squared));
  EXPECT_NEAR(without_key.ncp, loss.ncp, 1e-12);
  EXPECT_EQ(without_key.discernibility, loss.discernibility);
}

TEST(MaskingLoss, TellsRangesWithTheSameMiddleApart) {
  const std::vector<double> values = {1, 2, 3, 4};
  const std::vector<double> low = {1, 1, 0, 0};
  const std::vector<double> high = {3, 3, 4, 4};
  CellsPair pair;
  pair.original.rows = pair.masked.rows = 4;
  pair.original.columns = pair.masked.columns = {points(values)};
  pair.masked.columns[0].low = low.data();
  pair.masked.columns[0].high = high.data();
  SilentTicker ticker;
  const MaskingLoss loss = masking_loss(pair, 1, ticker);
  EXPECT_EQ(loss.discernibility, 4 + 4);
  EXPECT_EQ(loss.mean_class, 2);
}

TEST(MaskingLoss, OfUnmaskedNumbersIs0) {
  const std::vector<double> values = {1, 2, 3, 4, 5};
  CellsPair pair;
  pair.original.rows = pair.masked.rows = 5;
  pair.original.columns = pair.masked.columns = {points(values)};
  SilentTicker ticker;
  EXPECT_EQ(masking_loss(pair, 2, ticker).ncp, 0);
}

TEST(MaskingLoss, OfAConstantColumnIs0) {
  const std::vector<double> values = {3, 3, 3};
  CellsPair pair;
  pair.original.rows = pair.masked.rows = 3;
  pair.original.columns = pair.masked.columns = {points(values)};
  SilentTicker ticker;
  EXPECT_EQ(masking_loss(pair, 2, ticker).ncp, 0);
}

TEST(MaskingLoss, IsAHundredWhereAllBecomeTheMean) {
  const std::vector<double> values = {1, 2, 3, 4, 5};
  const std::vector<double> mean = {3, 3, 3, 3, 3};
  CellsPair pair;
  pair.original.rows = pair.masked.rows = 5;
  pair.original.columns = {points(values)};
  pair.masked.columns = {points(mean)};
  pair.image = {0, 1, 2, 3, 4};
  SilentTicker ticker;
  const MaskingLoss loss = masking_loss(pair, 2, ticker);
  EXPECT_NEAR(loss.squared, 100, 1e-9);
  EXPECT_TRUE(std::isnan(loss.ncp));
  EXPECT_EQ(loss.discernibility, 25);
  EXPECT_EQ(loss.mean_class, 5);
}

}  // namespace
}  // namespace anonkit
