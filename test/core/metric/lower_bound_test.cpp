#include "metric/lower_bound.hpp"
#include "fixture/trials.hpp"

#include <gtest/gtest.h>

#include "fixture/bound_rounds.hpp"
#include "fixture/random_space.hpp"
#include "fixture/reference_data.hpp"
#include "method/growing/mdav.hpp"
#include "method/univariate.hpp"
#include "metric/sse.hpp"
#include "reference/optimal_partition.hpp"

namespace anonkit {
namespace {

TEST(LowerBound, IsNeverAboveTheOptimum) {
  RandomSpaces random(1);
  SilentTicker ticker;
  double optima = 0, bounds = 0, plain = 0;
  for (int round = 0; round < trials(3000); ++round) {
    const int n = random.between(1, 10), k = random.between(1, std::min(n, 5));
    const Space space = random.make(static_cast<Shape>(round % kShapes), n, random.between(1, 5));
    const double optimum = reference::least_sse(space, k);
    // Blocks smaller than the table see the other records as outsiders only.
    for (const Record block : {5, 7, 1200}) {
      const double bound =
          sse_lower_bound(space, {k}, rounds(random.between(1, 60), block), ticker).value;
      EXPECT_LE(bound, optimum) << "round " << round << ", block " << block;
      if (block == 1200 && round % kShapes != static_cast<int>(Shape::outlier)) bounds += bound;
    }
    if (round % kShapes == static_cast<int>(Shape::outlier)) continue;
    optima += optimum;
    plain += plain_sse_lower_bound(space, {k}, ticker);
  }
  EXPECT_GT(bounds, plain + 0.7 * (optima - plain)) << "most of the gap closes";
}

TEST(LowerBound, HoldsForUpToTwentyRecords) {
  RandomSpaces random(2);
  SilentTicker ticker;
  for (int n = 14; n <= (is_sanitized() ? 14 : 18); n += 2) {
    const Space space = random.make(Shape::normal, n, 3);
    for (const int k : {3, 5}) {
      const double optimum = reference::least_sse(space, k);
      const double bound = sse_lower_bound(space, {k}, rounds(150), ticker).value;
      EXPECT_LE(bound, optimum);
      EXPECT_GT(bound, 0.7 * optimum);
    }
  }
}

TEST(LowerBound, IsNeverAboveWhatAPartitionLoses) {
  RandomSpaces random(3);
  SilentTicker ticker;
  for (int round = 0; round < trials(200); ++round) {
    const int n = random.between(1, 60), k = random.between(1, std::min(n, 8));
    const Space space = random.make(static_cast<Shape>(round % kShapes), n, random.between(1, 5));
    const double bound =
        sse_lower_bound(space, {k}, rounds(30, random.between(8, 80)), ticker).value;
    EXPECT_LE(bound, sse(space, mdav(space, k, ticker)));
    // Any partition into classes of at least k: here from a round robin, often with large classes.
    Partition partition;
    partition.classes = random.between(1, n / k);
    for (int i = 0; i < n; ++i) partition.class_of.push_back(i % partition.classes);
    EXPECT_LE(bound, sse(space, partition));
  }
}

class PollCounter final : public Ticker {
 public:
  int polls = 0;

 protected:
  void poll() override { ++polls; }
};

TEST(LowerBound, EndsWithItsWorkAndIsReproducible) {
  RandomSpaces random(9);
  const Space space = random.make(Shape::normal, 120, 2);
  BoundOptions options;
  PollCounter all, few;
  SilentTicker ticker;
  const double best = sse_lower_bound(space, {12}, options, all).value;
  options.work = 3e4;
  options.class_work = 1;
  const LowerBound bound = sse_lower_bound(space, {12}, options, few);
  EXPECT_LT(2 * few.polls, all.polls);
  EXPECT_TRUE(bound.reproducible);
  EXPECT_EQ(bound.value, sse_lower_bound(space, {12}, options, ticker).value);
  EXPECT_GE(bound.value, plain_sse_lower_bound(space, {12}, ticker));
  EXPECT_LT(bound.value, best);
}

TEST(LowerBound, IsAtMostTheOptimumOfOneAttribute) {
  RandomSpaces random(4);
  SilentTicker ticker;
  for (int round = 0; round < trials(60); ++round) {
    const int n = random.between(1, 80), k = random.between(1, std::min(n, 9));
    const Space space = random.make(Shape::normal, n, 1);
    EXPECT_LE(sse_lower_bound(space, {k}, rounds(40, 30), ticker).value,
              sse(space, univariate(space, k, ticker)));
  }
}

TEST(LowerBound, MeetsTheLossOfEqualPairsAndOfASingleClass) {
  SilentTicker ticker;
  const Space pairs({0, 2, 100, 102}, {Attribute{}});
  EXPECT_NEAR(sse_lower_bound(pairs, {2}, {}, ticker).value, 4, 1e-3);
  EXPECT_NEAR(sse_lower_bound(pairs, {3}, {}, ticker).value, sst(pairs), 1e-4);
  const Space twins({1, 1, 5, 5, 9, 9}, {Attribute{}});
  EXPECT_EQ(sse_lower_bound(twins, {2}, {}, ticker).value, 0);
}

TEST(LowerBound, HoldsWhereverTheClockStopsIt) {
  RandomSpaces random(5);
  const Space space = random.make(Shape::normal, 90, 3);
  SilentTicker ticker;
  const double loss = sse(space, mdav(space, 4, ticker));
  const LowerBound whole = sse_lower_bound(space, {4}, rounds(100), ticker);
  EXPECT_TRUE(whole.reproducible);
  double before = 0;
  for (const int asks : {0, 5, 80}) {
    BoundOptions options = rounds(100);
    int asked = 0;
    options.clock = [&] { return asked++ < asks ? 0.0 : 1.0; };
    const LowerBound stopped = sse_lower_bound(space, {4}, options, ticker);
    EXPECT_FALSE(stopped.reproducible);
    EXPECT_LE(stopped.value, loss);
    EXPECT_GE(stopped.value, before);
    before = stopped.value;
  }
  EXPECT_GE(whole.value, before);
}

TEST(LowerBound, OfManyRecordsIsRaisedBlockByBlock) {
  RandomSpaces random(6);
  SilentTicker ticker;
  for (const Shape shape : {Shape::normal, Shape::grid, Shape::mixed}) {
    const Space space = random.make(shape, 2000, 2);
    if (is_sanitized() && shape != Shape::mixed) continue;
    const double plain = plain_sse_lower_bound(space, {3}, ticker);
    const double bound = sse_lower_bound(space, {3}, rounds(40, 700), ticker).value;
    EXPECT_LE(bound, sse(space, mdav(space, 3, ticker)));
    EXPECT_GE(bound, plain * (1 + (shape == Shape::normal ? 0.1 : 0)));
  }
}

TEST(LowerBound, OfCensusClosesMostOfTheGap) {
  const auto records = read_records("census.csv");
  if (records.empty()) GTEST_SKIP() << not_present("census.csv");
  const Space space = standardized(records);
  SilentTicker ticker;
  EXPECT_NEAR(100 * plain_sse_lower_bound(space, {3}, ticker) / sst(space), 3.444, 5e-4);
  EXPECT_NEAR(100 * plain_sse_lower_bound(space, {5}, ticker) / sst(space), 5.017, 5e-4);
  EXPECT_NEAR(100 * plain_sse_lower_bound(space, {10}, ticker) / sst(space), 7.336, 5e-4);
  EXPECT_GT(100 * sse_lower_bound(space, {3}, rounds(40), ticker).value / sst(space), 4.6);
}

TEST(LowerBound, PlainIsTheLossWhereAllDistancesAreEqual) {
  // Eight unit vectors have squared distances of 2. A class of four loses 6 * 2 / 4.
  std::vector<double> corners(64, 0);
  for (std::size_t i = 0; i < 8; ++i) corners[9 * i] = 1;
  const Space simplex(corners, std::vector<Attribute>(8));
  SilentTicker ticker;
  EXPECT_NEAR(plain_sse_lower_bound(simplex, {4}, ticker), 6, 1e-6);
}

TEST(LowerBound, GrowsWithTheSquareOfTheUnit) {
  RandomSpaces random(6);
  SilentTicker ticker;
  const Space space = random.make(Shape::normal, 40, 2);
  std::vector<double> values(space.row(0), space.row(0) + 80);
  for (double& x : values) x *= 0x1p30;
  const Space large(std::move(values), std::vector<Attribute>(2));
  EXPECT_DOUBLE_EQ(sse_lower_bound(large, {3}, rounds(40), ticker).value,
                   0x1p60 * sse_lower_bound(space, {3}, rounds(40), ticker).value);
}

TEST(LowerBound, IsRaisedByFurtherRounds) {
  RandomSpaces random(11);
  SilentTicker ticker;
  const Space space = random.make(Shape::normal, 40, 2);
  const double first = sse_lower_bound(space, {13}, rounds(1), ticker).value;
  EXPECT_LT(first, sse_lower_bound(space, {13}, rounds(20), ticker).value);
}

TEST(LowerBound, IsRaisedByWorkOnClassesOfTwelve) {
  RandomSpaces random(12);
  SilentTicker ticker;
  const Space space = random.make(Shape::normal, 26, 2);
  BoundOptions options;
  options.work = 1;
  options.class_work = 6e4;
  const double all = sse_lower_bound(space, {12}, options, ticker).value;
  options.class_work = 1;
  EXPECT_LT(sse_lower_bound(space, {12}, options, ticker).value, all);
}

}  // namespace
}  // namespace anonkit
