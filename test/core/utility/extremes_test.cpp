// Statistics of numbers near the limits of doubles. Squares and differences of such numbers
// overflow or vanish, so they must be computed in the numbers' own unit.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "fixture/attacks.hpp"
#include "fixture/impatient_ticker.hpp"
#include "fixture/random_cells.hpp"
#include "risk/exposure.hpp"
#include "risk/inference.hpp"
#include "utility/distribution.hpp"
#include "utility/linear.hpp"
#include "utility/masking_loss.hpp"
#include "utility/propensity.hpp"
#include "utility/range_queries.hpp"

namespace anonkit {
namespace {

using Limits = std::numeric_limits<double>;

const std::vector<double> kOrdinary = {-3, -2, -1, 0, 1, 2, 3, 2};

std::vector<double> times(const std::vector<double>& values, double factor) {
  std::vector<double> scaled(values);
  for (double& x : scaled) x *= factor;
  return scaled;
}

/// Powers of two near both limits, by which the ordinary numbers neither overflow nor lose digits.
constexpr double kFactors[] = {0x1p1022, 0x1p-1060, 1};

class AnyScale : public testing::TestWithParam<double> {
 protected:
  AnyScale() : values_(times(kOrdinary, GetParam())), masked_(times(kCoarse, GetParam())) {
    for (const auto* side : {&values_, &masked_}) {
      Cells& cells = side == &values_ ? pair_.original : pair_.masked;
      cells.rows = static_cast<std::int32_t>(side->size());
      cells.columns = {points(*side), points(other_)};
    }
    for (std::int32_t i = 0; i < pair_.original.rows; ++i) pair_.image.push_back(i);
  }

  const std::vector<double> kCoarse = {-2, -2, -2, 1, 1, 1, 2, 2};
  std::vector<double> values_;
  std::vector<double> masked_;
  std::vector<double> other_ = {1, 5, 2, 8, 3, 4, 4, 9};
  CellsPair pair_;
  SilentTicker ticker_;
};

/// The figures of the ordinary numbers, which a power of two does not change.
CellsPair ordinary(const std::vector<double>& original, const std::vector<double>& masked,
                   const CellsPair& like) {
  CellsPair pair = like;
  pair.original.columns[0] = points(original);
  pair.masked.columns[0] = points(masked);
  return pair;
}

TEST_P(AnyScale, DistributionsHaveTheFiguresOfTheNumbersTimesTheFactor) {
  const auto n = static_cast<std::int32_t>(values_.size());
  const Distribution found = distribution_of(sorted_column(points(values_), n, ticker_));
  const Distribution expected = distribution_of(sorted_column(points(kOrdinary), n, ticker_));
  EXPECT_EQ(found.mean, expected.mean * GetParam());
  EXPECT_DOUBLE_EQ(found.variance(), expected.variance() * GetParam() * GetParam());
  for (std::size_t i = 0; i < kQuantiles.size(); ++i)
    EXPECT_NEAR(found.quantiles[i] / GetParam(), expected.quantiles[i], 1e-3);
  EXPECT_EQ(hellinger(points(values_), n, points(masked_), n, ticker_),
            hellinger(points(kOrdinary), n, points(kCoarse), n, ticker_));
}

TEST_P(AnyScale, LinearFiguresAreThoseOfTheNumbersTimesTheFactor) {
  const CellsPair expected = ordinary(kOrdinary, kCoarse, pair_);
  const Moments moments = moments_of(pair_.original, ticker_);
  const Moments plain = moments_of(expected.original, ticker_);
  EXPECT_EQ(moments.correlation(0, 1), plain.correlation(0, 1));
  EXPECT_DOUBLE_EQ(moments.covariance(0, 1), plain.covariance(0, 1) * GetParam());
  const Eigen::VectorXd line = regression(moments, 0);
  EXPECT_DOUBLE_EQ(line[1], regression(plain, 0)[1] * GetParam());
  EXPECT_DOUBLE_EQ(regression(moments, 1)[1], regression(plain, 1)[1] / GetParam());
  const PrincipalAxes axes = principal_axes(moments, moments_of(pair_.masked, ticker_));
  const PrincipalAxes plain_axes = principal_axes(plain, moments_of(expected.masked, ticker_));
  EXPECT_EQ(axes.masked, plain_axes.masked);
  EXPECT_EQ(axes.angle, plain_axes.angle);
  EXPECT_EQ(propensity_mse(pair_.original, pair_.masked, 2, ticker_),
            propensity_mse(expected.original, expected.masked, 2, ticker_));
}

TEST_P(AnyScale, LossesDoNotDependOnTheFactor) {
  const CellsPair expected = ordinary(kOrdinary, kCoarse, pair_);
  EXPECT_EQ(masking_loss(pair_, 2, ticker_).squared, masking_loss(expected, 2, ticker_).squared);
  EXPECT_EQ(mean_query_error(pair_.original, pair_.masked, 50, 1, 2, ticker_),
            mean_query_error(expected.original, expected.masked, 50, 1, 2, ticker_));
  const std::vector<std::int32_t> classes = {0, 0, 0, 1, 1, 1, 2, 2};
  EXPECT_EQ(exposures(pair_, classes, ticker_)[0].solved,
            exposures(expected, classes, ticker_)[0].solved);
}

INSTANTIATE_TEST_SUITE_P(Extremes, AnyScale, testing::ValuesIn(kFactors));

/// Every pair of extremes, before and after masking: figures are finite, or unknown, or infinite if
/// they are beyond the range of a double, and nothing is read outside of the numbers.
TEST(Extremes, AnyPairOfNumbersHasFigures) {
  const std::vector<double> extremes = {0,
                                        1,
                                        Limits::max(),
                                        Limits::lowest(),
                                        Limits::min(),
                                        Limits::denorm_min(),
                                        -Limits::denorm_min(),
                                        1e308,
                                        -1e308};
  SilentTicker ticker;
  const std::vector<std::int32_t> values = {0, 1, 0, 1};
  for (const double a : extremes)
    for (const double b : extremes)
      for (const double c : extremes) {
        const std::vector<double> original = {a, b, b, a};
        const std::vector<double> low(4, std::min(a, c));
        const std::vector<double> high(4, std::max(a, c));
        CellsPair pair;
        pair.original.rows = pair.masked.rows = 4;
        pair.original.columns = {points(original)};
        pair.masked.columns = {points(low)};
        pair.masked.columns[0].high = high.data();
        pair.image = {0, 1, 2, 3};
        const Distribution distribution =
            distribution_of(sorted_column(pair.original.columns[0], 4, ticker));
        ASSERT_TRUE(std::isfinite(distribution.mean));
        ASSERT_FALSE(std::isnan(distribution.variance()));
        for (const double quantile : distribution.quantiles) ASSERT_TRUE(std::isfinite(quantile));
        const double distance =
            hellinger(pair.original.columns[0], 4, pair.masked.columns[0], 4, ticker);
        ASSERT_TRUE(distance >= 0 && distance <= 1 + 1e-12);
        const double error = mean_query_error(pair.original, pair.masked, 9, 1, 2, ticker);
        ASSERT_TRUE(std::isfinite(error)) << a << " " << b << " " << c;
        const double separable = propensity_mse(pair.original, pair.masked, 2, ticker);
        ASSERT_TRUE(separable >= 0 && separable <= 0.25 + 1e-9) << a << " " << b << " " << c;
        masking_loss(pair, 2, ticker);
        const Moments moments = moments_of(pair.original, ticker);
        principal_axes(moments, moments_of(pair.masked, ticker));
        ASSERT_TRUE(std::isfinite(regression(moments, 0)[0]));
        const GuessedRight guessed = guess(pair, PublishedPoints(pair, 2, ticker),
                                           {{values.data(), values.data(), 2}}, 2, 2, ticker)[0];
        ASSERT_TRUE(guessed.by_bayes >= 0 && guessed.by_bayes <= 1);
        exposures(pair, {0, 0, 0, 0}, ticker);
      }
}

/// 2^35 probabilities would need 256 GiB; those of the pairs that occur need little.
TEST(Extremes, BayesNeedsMemoryForThePairsThatOccur) {
  constexpr std::int32_t kRows = 200000;
  std::vector<std::int32_t> distinct(kRows);
  for (std::int32_t i = 0; i < kRows; ++i) distinct[static_cast<std::size_t>(i)] = i;
  CellsPair pair;
  pair.original.rows = 1;
  pair.masked.rows = kRows;
  pair.original.columns = pair.masked.columns = {categories(distinct, kRows)};
  SilentTicker ticker;
  const GuessedRight guessed = guess(pair, PublishedPoints(pair, 2, ticker),
                                     {{distinct.data(), distinct.data(), kRows}}, 1, 2, ticker)[0];
  EXPECT_EQ(guessed.by_bayes, 1);
}

/// A matrix of all columns cannot be decomposed in a tenth of a second.
TEST(Extremes, TooManyNumbersAreRefused) {
  const std::vector<double> values = {1, 2};
  Cells cells;
  cells.rows = 2;
  cells.columns.assign(kMostNumbers, points(values));
  SilentTicker ticker;
  EXPECT_EQ(moments_of(cells, ticker).columns.size(), kMostNumbers);
  cells.columns.push_back(points(values));
  EXPECT_THROW(moments_of(cells, ticker), Error);
}

TEST(Extremes, AxesThatOverflowInTheOriginalUnitsAreUnknown) {
  const std::vector<double> tiny = times(kOrdinary, 0x1p-1060), huge = times(kOrdinary, 0x1p1000);
  Cells original;
  original.rows = static_cast<std::int32_t>(kOrdinary.size());
  original.columns = {points(tiny)};
  Cells masked = original;
  masked.columns = {points(huge)};
  SilentTicker ticker;
  const PrincipalAxes axes =
      principal_axes(moments_of(original, ticker), moments_of(masked, ticker));
  EXPECT_DOUBLE_EQ(axes.original[0], 1);
  EXPECT_TRUE(std::isnan(axes.masked[0]));
  EXPECT_TRUE(std::isnan(axes.angle[0]));
}

}  // namespace
}  // namespace anonkit
