// Statistics of relations with nulls among numbers.

#include <gtest/gtest.h>

#include <cmath>

#include "fixture/nullable.hpp"
#include "fixture/random_cells.hpp"
#include "utility/distribution.hpp"
#include "utility/histogram.hpp"
#include "utility/k_marginal.hpp"
#include "utility/linear.hpp"
#include "utility/masking_loss.hpp"
#include "utility/ordered_pair.hpp"
#include "utility/propensity.hpp"
#include "utility/range_queries.hpp"

namespace anonkit {
namespace {

const Nullable kFew({4, std::nullopt, 1, 3, std::nullopt, 2, 10});
const Nullable kNone({std::nullopt, std::nullopt});

TEST(NullStatistics, DistributionsAreThoseOfTheNumbers) {
  SilentTicker ticker;
  const Distribution found = distribution_of(sorted_column(kFew.column(), 7, ticker));
  EXPECT_DOUBLE_EQ(found.mean, 4);
  EXPECT_DOUBLE_EQ(found.variance(), 12.5);
  EXPECT_DOUBLE_EQ(found.quantiles[4], 8.8);
  const std::vector<double> weights = {1, 5, 1, 1, 9, 1, 1};
  CellColumn weighted = kFew.column();
  weighted.weights = weights.data();
  EXPECT_DOUBLE_EQ(distribution_of(sorted_column(weighted, 7, ticker)).mean, 4);
}

TEST(NullStatistics, OfNoNumbersAreUnknown) {
  SilentTicker ticker;
  const SortedColumn none = sorted_column(kNone.column(), 2, ticker);
  const Distribution found = distribution_of(none);
  EXPECT_TRUE(std::isnan(found.mean) && std::isnan(found.variance()));
  for (const double quantile : found.quantiles) EXPECT_TRUE(std::isnan(quantile));
  EXPECT_TRUE(std::isnan(kolmogorov_smirnov(none, sorted_column(kFew.column(), 7, ticker))));
  EXPECT_EQ(round_bins(kNone.column(), 2, 24, ticker).count, 1);
}

// H^2 = 1 - sum of sqrt(p q).
TEST(NullStatistics, HellingersDistanceSeesTheShareOfNulls) {
  SilentTicker ticker;
  const Nullable half({1, std::nullopt}), all({1, 1});
  EXPECT_DOUBLE_EQ(hellinger(half.column(), 2, all.column(), 2, ticker),
                   std::sqrt(1 - std::sqrt(0.5)));
  EXPECT_DOUBLE_EQ(hellinger(all.column(), 2, kNone.column(), 2, ticker), 1);
  EXPECT_EQ(hellinger(kNone.column(), 2, kNone.column(), 2, ticker), 0);
}

TEST(NullStatistics, MomentsAreThoseOfTheCompleteRecords) {
  SilentTicker ticker;
  const Nullable x({1, std::nullopt, 3, 5, 4}), y({2, 100, std::nullopt, 9, 4});
  const std::vector<double> complete_x = {1, 5, 4}, complete_y = {2, 9, 4};
  const Moments found = moments_of({5, {x.column(), y.column()}}, ticker);
  const Moments wanted = moments_of({3, {points(complete_x), points(complete_y)}}, ticker);
  EXPECT_DOUBLE_EQ(found.covariance(0, 1), wanted.covariance(0, 1));
  EXPECT_DOUBLE_EQ(found.correlation(0, 1), wanted.correlation(0, 1));
  EXPECT_DOUBLE_EQ(regression(found, 1)[1], regression(wanted, 1)[1]);
  const Nullable z({std::nullopt, 1, 1, std::nullopt, std::nullopt});
  const Moments none = moments_of({5, {x.column(), y.column(), z.column()}}, ticker);
  EXPECT_TRUE(std::isnan(none.correlation(0, 1)));
  EXPECT_TRUE(std::isnan(regression(none, 0)[1]));
  EXPECT_TRUE(std::isnan(principal_axes(none, none).angle[0]));
}

TEST(NullStatistics, PropensitySeesNullsThatAppear) {
  SilentTicker ticker;
  Nullable before, after;
  for (int i = 0; i < 400; ++i) {
    before.push_back(i % 10 == 0 ? std::nullopt : std::optional<double>(i % 17));
    after.push_back(i % 2 == 0 ? std::nullopt : std::optional<double>(i % 17));
  }
  const Cells original = {400, {before.column()}}, masked = {400, {after.column()}};
  EXPECT_NEAR(propensity_mse(original, original, 2, ticker), 0, 1e-9);
  EXPECT_GT(propensity_mse(original, masked, 2, ticker), 0.03);
  const Cells nulls = {2, {kNone.column()}};
  EXPECT_NEAR(propensity_mse(nulls, nulls, 1, ticker), 0, 1e-9);
}

// No record has both numbers, but each column has its own.
TEST(NullStatistics, PropensityTakesEachColumnByItsOwnNumbers) {
  SilentTicker ticker;
  Nullable x, y, x_masked, y_masked;
  for (int i = 0; i < 400; ++i) {
    const bool of_x = i % 2 == 0;
    x.push_back(of_x ? std::optional<double>(i % 17) : std::nullopt);
    y.push_back(of_x ? std::nullopt : std::optional<double>(i % 13));
    x_masked.push_back(of_x ? std::optional<double>(8) : std::nullopt);
    y_masked.push_back(of_x ? std::nullopt : std::optional<double>(6));
  }
  const Cells original = {400, {x.column(), y.column()}};
  const Cells masked = {400, {x_masked.column(), y_masked.column()}};
  EXPECT_GT(propensity_mse(original, masked, 2, ticker), 0.05);
  EXPECT_NEAR(propensity_mse(original, original, 2, ticker), 0, 1e-9);
}

// The unit of an axis is the deviation of the original numbers.
TEST(NullStatistics, AxesWithoutACompleteOriginalRecordAreUnknown) {
  SilentTicker ticker;
  const Nullable x({1, std::nullopt, 3}), y({std::nullopt, 2, std::nullopt}), z({5, 2, 4});
  const Moments none = moments_of({3, {x.column(), y.column()}}, ticker);
  const Moments some = moments_of({3, {z.column(), z.column()}}, ticker);
  const PrincipalAxes axes = principal_axes(none, some);
  EXPECT_TRUE(std::isnan(axes.original[0]));
  EXPECT_TRUE(std::isnan(axes.masked[0]));
}

// A null is a bin, as in SDNist, also where numbers are cut at quantiles.
TEST(NullStatistics, KMarginalsCountThemAsAValue) {
  SilentTicker ticker;
  for (const int values : {5, 60}) {
    Nullable before, after;
    for (int i = 0; i < 600; ++i) {
      before.push_back(i % 4 == 0 ? std::nullopt : std::optional<double>(i % values));
      after.push_back(i % 4 <= 1 ? std::nullopt : std::optional<double>(i % values));
    }
    const Cells original = {600, {before.column()}}, masked = {600, {after.column()}};
    EXPECT_NEAR(k_marginal(original, original, {2}, 0, 1, ticker)[0].score, 1000, 1e-9);
    // A quarter of the records have moved to null.
    EXPECT_NEAR(k_marginal(original, masked, {2}, 0, 1, ticker)[0].score, 750, 1e-9) << values;
  }
}

TEST(NullStatistics, NoIntervalContainsANull) {
  SilentTicker ticker;
  Nullable with, without;
  for (int i = 0; i < 40; ++i) {
    without.push_back(i);
    with.push_back(i);
  }
  for (int i = 0; i < 20; ++i) with.push_back(std::nullopt);
  const Cells original = {40, {without.column()}}, longer = {60, {with.column()}};
  EXPECT_EQ(mean_query_error(original, longer, 50, 1, 1, ticker), 0);
  EXPECT_EQ(mean_query_error(longer, original, 50, 1, 1, ticker), 0);
  const Cells none = {2, {kNone.column()}};
  EXPECT_EQ(mean_query_error(none, none, 5, 1, 1, ticker), 0);
}

TEST(NullStatistics, ASuppressedCellLosesLikeASuppressedRecord) {
  SilentTicker ticker;
  const Nullable values({1, 2, 3, 4, 5, std::nullopt});
  Nullable masked;
  masked.push_back(1, 2);
  for (int i = 0; i < 5; ++i) masked.push_back(i == 1 ? std::optional<double>(3) : std::nullopt);
  CellsPair pair = pair_of_nullable(values, masked);
  const MaskingLoss loss = masking_loss(pair, 1, ticker);
  EXPECT_NEAR(loss.squared, 100 * (0.25 + 1 + 0 + 1 + 4) / 10, 1e-9);
  EXPECT_NEAR(loss.ncp, (0.25 + 0 + 3 + 0) / 6, 1e-12);
  pair.image.clear();
  EXPECT_NEAR(masking_loss(pair, 1, ticker).ncp, loss.ncp, 1e-12);
}

TEST(NullStatistics, HistogramsDoWithoutThem) {
  SilentTicker ticker;
  const Bins bins = round_bins(kFew.column(), 7, 24, ticker);
  EXPECT_LE(bins.edge(0), 1);
  EXPECT_GE(bins.edge(bins.count), 10);
  double records = 0;
  for (const double count : binned(kFew.column(), 7, bins, ticker)) records += count;
  EXPECT_DOUBLE_EQ(records, 5);
  EXPECT_EQ(binned(kNone.column(), 2, {}, ticker), std::vector<double>{0});
}

TEST(NullStatistics, OrderedPairsKeepThem) {
  SilentTicker ticker;
  const Nullable masked({3, 3, std::nullopt, 3, std::nullopt, 3, 3});
  OrderedPair ordered(pair_of_nullable(kFew, masked), 1, ticker);
  const CellsPair& pair = ordered.records();
  const double sorted[] = {1, 2, 3, 4, 10};
  for (std::int32_t i = 0; i < 5; ++i) EXPECT_EQ(pair.original.columns[0].low[i], sorted[i]);
  EXPECT_TRUE(pair.original.columns[0].is_null(5) && pair.original.columns[0].is_null(6));
  EXPECT_TRUE(pair.masked.columns[0].is_null(6));
}

}  // namespace
}  // namespace anonkit
