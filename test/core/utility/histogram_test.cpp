#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "fixture/random_cells.hpp"
#include "utility/histogram.hpp"

namespace anonkit {
namespace {

CellColumn ranges(const std::vector<double>& low, const std::vector<double>& high) {
  CellColumn column;
  column.low = low.data();
  column.high = high.data();
  return column;
}

double sum(const std::vector<double>& counts) {
  return std::accumulate(counts.begin(), counts.end(), 0.0);
}

TEST(Histogram, BinsCoverTheColumnAndTheirEdgesAreRound) {
  const std::vector<double> values = {17.3, 18, 99.2};
  SilentTicker ticker;
  const Bins bins = round_bins(ranges(values, values), 3, 10, ticker);
  EXPECT_EQ(bins.low, 10);
  EXPECT_EQ(bins.width, 10);
  EXPECT_EQ(bins.count, 9);
}

TEST(Histogram, EveryRecordIsCountedOnceAndRangesByTheirShares) {
  Random random(5);
  SilentTicker ticker;
  for (int round = 0; round < 2000; ++round) {
    const std::int32_t rows = 1 + static_cast<std::int32_t>(random.below(20));
    std::vector<double> low;
    std::vector<double> high;
    const double scale = random.below(2) == 0 ? 0.001 : 37;
    for (std::int32_t i = 0; i < rows; ++i) {
      // No number lies on an edge.
      low.push_back(scale * (static_cast<double>(random.below(100)) - 49.9629));
      high.push_back(low.back() + scale * static_cast<double>(random.below(3)));
    }
    const CellColumn column = ranges(low, high);
    const auto most = static_cast<std::int32_t>(2 + random.below(20));
    const Bins bins = round_bins(column, rows, most, ticker);
    ASSERT_LE(bins.count, most);
    const std::vector<double> counts = binned(column, rows, bins, ticker);
    ASSERT_NEAR(sum(counts), rows, 1e-9);
    for (std::int32_t b = 0; b < bins.count; ++b) {
      double expected = 0;
      for (std::size_t i = 0; i < low.size(); ++i) {
        const double overlap = std::min(high[i], bins.edge(b + 1)) - std::max(low[i], bins.edge(b));
        if (low[i] < high[i])
          expected += std::max(0.0, overlap) / (high[i] - low[i]);
        else
          expected += low[i] >= bins.edge(b) && low[i] < bins.edge(b + 1) ? 1 : 0;
      }
      ASSERT_NEAR(counts[static_cast<std::size_t>(b)], expected, 1e-6);
    }
  }
}

TEST(Histogram, BinsCoverTheGreatestAndTheLeastNumbers) {
  constexpr double kMost = std::numeric_limits<double>::max();
  const std::vector<double> extremes = {-kMost, -1.7e308, -1, -1e-300, 0, 5e-324, 2, 1e300, kMost};
  Random random(7);
  SilentTicker ticker;
  for (int round = 0; round < 2000; ++round) {
    const std::size_t rows = 1 + random.below(6);
    std::vector<double> low, high;
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t a = random.below(extremes.size()), b = random.below(extremes.size());
      low.push_back(extremes[std::min(a, b)]);
      high.push_back(extremes[std::max(a, b)]);
    }
    const CellColumn column = ranges(low, high);
    const auto most = static_cast<std::int32_t>(4 + random.below(20));
    const Bins bins = round_bins(column, static_cast<std::int32_t>(rows), most, ticker);
    ASSERT_GE(bins.count, 1);
    ASSERT_LE(bins.count, most);
    // Multiples of the width are rounded.
    const double slack = 1e-9 * bins.width;
    ASSERT_LE(bins.edge(0) - slack, *std::min_element(low.begin(), low.end()));
    ASSERT_GE(bins.edge(bins.count) + slack, *std::max_element(high.begin(), high.end()));
    const std::vector<double> counts =
        binned(column, static_cast<std::int32_t>(rows), bins, ticker);
    ASSERT_NEAR(sum(counts), static_cast<double>(rows), 1e-9);
  }
}

TEST(Histogram, ABarHasNoRecordsOrEnough) {
  Random random(6);
  for (int round = 0; round < 3000; ++round) {
    std::vector<double> counts(1 + random.below(12));
    for (double& count : counts) count = static_cast<double>(random.below(6));
    const double least = 1 + static_cast<double>(random.below(9));
    const std::vector<Bar> bars = folded(counts, least);
    if (sum(counts) > 0 && sum(counts) < least) {
      ASSERT_TRUE(bars.empty());
      continue;
    }
    double records = 0;
    std::int32_t next = 0;
    for (const Bar& bar : bars) {
      ASSERT_EQ(bar.first, next);
      ASSERT_TRUE(bar.records == 0 || bar.records >= least);
      records += bar.records;
      next = bar.last + 1;
    }
    ASSERT_EQ(next, static_cast<std::int32_t>(counts.size()));
    ASSERT_EQ(records, sum(counts));
  }
}

TEST(Histogram, RareCategoriesAreCountedTogether) {
  Random random(7);
  for (int round = 0; round < 3000; ++round) {
    std::vector<double> original(1 + random.below(8));
    std::vector<double> masked(original.size());
    for (double& count : original) count = static_cast<double>(random.below(9));
    for (double& count : masked) count = static_cast<double>(random.below(9));
    const double least = 1 + static_cast<double>(random.below(6));
    const std::size_t most = 1 + random.below(8);
    const auto bars = frequent_categories(original, masked, most, least);
    double before = 0;
    double after = 0;
    for (const CategoryBar& bar : bars) {
      before += bar.original;
      after += bar.masked;
      if (bar.category == CategoryBar::kOthers && bars.size() == 1) continue;
      ASSERT_TRUE(bar.original == 0 || bar.original >= least);
      ASSERT_TRUE(bar.masked == 0 || bar.masked >= least);
    }
    ASSERT_EQ(before, sum(original));
    ASSERT_EQ(after, sum(masked));
    ASSERT_LE(bars.size(), most + 1);
  }
}

}  // namespace
}  // namespace anonkit
