// Prices of classes against all classes of small tables.

#include "metric/bound/class_prices.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "fixture/random_space.hpp"
#include "fixture/trials.hpp"
#include "metric/bound/least_excesses.hpp"
#include "metric/sse.hpp"

namespace anonkit {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const std::function<double()> kNoClock;

/// By record: the least of (loss - prices) / size over all classes of so many records with it.
std::vector<double> least_by_definition(const Space& space, const std::vector<double>& prices,
                                        Record smallest, Record largest) {
  std::vector<double> least(at(space.size()), kInfinity);
  for (unsigned set = 1; set < 1U << space.size(); ++set) {
    const Record size = __builtin_popcount(set);
    if (size < smallest || size > largest) continue;
    double pairs = 0, paid = 0;
    for (Record i = 0; i < space.size(); ++i) {
      if ((set >> i & 1) == 0) continue;
      paid += prices[at(i)];
      for (Record j = 0; j < i; ++j)
        if ((set >> j & 1) != 0) pairs += space.squared_distance(space.row(i), space.row(j));
    }
    const double excess = (pairs / size - paid) / size;
    for (Record i = 0; i < space.size(); ++i)
      if ((set >> i & 1) != 0) least[at(i)] = std::min(least[at(i)], excess);
  }
  return least;
}

std::vector<double> random_prices(RandomSpaces& random, const ClassPoints& points, double mean) {
  std::vector<double> prices;
  for (std::int32_t i = 0; i < points.size(); ++i)
    prices.push_back(mean * random.between(-20, 60) / 20.0);
  return prices;
}

/// A class of the first records, so that some are known and others are not.
ClassPool small_pool(const ClassPoints& points, Record size) {
  ClassPool pool(points);
  std::vector<ClassColumn::Member> members;
  Record left = size;
  for (std::int32_t i = 0; left > 0; ++i) {
    members.push_back({i, std::min(left, points.weight(i))});
    left -= members.back().records;
  }
  pool.add(ClassColumn(points, members));
  return pool;
}

TEST(ClassPrices, LeastExcessesAreThoseOfAllClasses) {
  RandomSpaces random(1);
  SilentTicker ticker;
  for (int round = 0; round < trials(600); ++round) {
    const int k = random.between(2, 4), n = random.between(2 * k, 11);
    const Space space = random.make(static_cast<Shape>(round % kShapes), n, random.between(1, 4));
    const Record largest = 2 * k - 1;
    const ClassPoints points(space, largest, ticker);
    const double scale = sst(space) / n;
    const std::vector<double> prices = random_prices(random, points, scale);
    LeastExcesses excesses(points, prices, small_pool(points, k), k, largest);
    Progress progress(kNoClock, {0, 1}, {0, 0});
    ASSERT_TRUE(excesses.prove(-kInfinity, 1, progress, ticker));
    std::vector<double> of_records;
    for (const Record point : points.of_record()) of_records.push_back(prices[at(point)]);
    const std::vector<double> least = least_by_definition(space, of_records, k, largest);
    for (Record i = 0; i < n; ++i) {
      const double proven = excesses.proven()[at(points.of_record()[at(i)])];
      const double error = 1e-9 * (scale + std::fabs(least[at(i)]));
      EXPECT_LE(proven, least[at(i)] + error) << "round " << round;
      EXPECT_GE(proven, least[at(i)] - 1e-5 * scale - error) << "round " << round;
    }
    for (const ClassColumn& column : excesses.columns()) {
      EXPECT_GE(column.size, k);
      EXPECT_LE(column.size, largest);
      for (const ClassColumn::Member& one : column.members)
        EXPECT_LE(one.records, points.weight(one.point));
    }
  }
}

TEST(ClassPrices, LeastExcessesDoNotDependOnThreads) {
  RandomSpaces random(2);
  SilentTicker ticker;
  const Space space = random.make(Shape::mixed, 300, 3);
  const ClassPoints points(space, 5, ticker);
  const std::vector<double> prices = random_prices(random, points, sst(space) / 600);
  const ClassPool pool = small_pool(points, 3);
  std::vector<double> proven;
  for (const int threads : {1, 3}) {
    LeastExcesses excesses(points, prices, pool, 3, 5);
    Progress progress(kNoClock, {0, 1}, {0, 0});
    ASSERT_TRUE(excesses.prove(-kInfinity, threads, progress, ticker));
    if (threads == 1) proven = excesses.proven();
    EXPECT_EQ(excesses.proven(), proven);
  }
}

// More points than may be candidates at once, and than have a table of distances.
TEST(ClassPrices, LeastExcessesOfManyCandidatesHold) {
  RandomSpaces random(3);
  SilentTicker ticker;
  const int n = 1700;
  const Space space = random.make(Shape::normal, n, 2);
  const ClassPoints points(space, 2, ticker);
  ASSERT_EQ(points.size(), n);
  const std::vector<double> prices = random_prices(random, points, 5 * sst(space) / n);
  LeastExcesses excesses(points, prices, ClassPool(points), 2, 2);
  Progress progress(kNoClock, {0, 1}, {0, 0});
  ASSERT_TRUE(excesses.prove(-kInfinity, 2, progress, ticker));
  for (std::int32_t i = 0; i < n; ++i) {
    double least = kInfinity;
    for (std::int32_t j = 0; j < n; ++j)
      if (j != i)
        least = std::min(least, (points.distance(i, j) / 2 - prices[at(i)] - prices[at(j)]) / 2);
    EXPECT_LE(excesses.proven()[at(i)], least + 1e-9);
    EXPECT_GT(excesses.proven()[at(i)], -kInfinity);
  }
}

TEST(ClassPrices, LeastExcessesEndWithTheProgress) {
  RandomSpaces random(4);
  SilentTicker ticker;
  const Space space = random.make(Shape::normal, 200, 2);
  const ClassPoints points(space, 5, ticker);
  const std::vector<double> prices(at(points.size()), sst(space) / 200);
  LeastExcesses excesses(points, prices, small_pool(points, 3), 3, 5);
  Progress progress(kNoClock, {0, 1}, {0, 1});
  EXPECT_FALSE(excesses.prove(-kInfinity, 1, progress, ticker));
}

// Groups of k records that are far apart: the relaxation has no other choice than a partition.
TEST(ClassPrices, ReachTheLossOfGroupsThatAreFarApart) {
  RandomSpaces random(5);
  SilentTicker ticker;
  for (int round = 0; round < trials(20); ++round) {
    const int k = random.between(2, 5), groups = random.between(2, 8);
    std::vector<double> values;
    double loss = 0;
    for (int group = 0; group < groups; ++group) {
      const Space space = random.make(Shape::normal, k, 2);
      loss += sst(space);
      for (Record i = 0; i < k; ++i) {
        values.push_back(space.row(i)[0] + 1000 * group);
        values.push_back(space.row(i)[1]);
      }
    }
    const Space space(values, std::vector<Attribute>(2));
    Progress progress(kNoClock, {0, 1}, {1000, 0});
    const std::vector<double> nothing(at(space.size()), 0);
    const double bound = ClassPrices{k, 2 * k - 1, 1}.raise(space, nothing, progress, ticker);
    EXPECT_LE(bound, loss * (1 + 1e-9));
    EXPECT_GT(bound, 0.99 * loss) << "round " << round;
  }
}

TEST(ClassPrices, ThePoolsAscentReachesTheSumOfItsOnlyClasses) {
  // Two pairs, and one class of each: their losses are the best prices' sum.
  const Space pairs({0, 2, 100, 104}, {Attribute{}});
  SilentTicker ticker;
  const ClassPoints points(pairs, 3, ticker);
  ClassPool pool(points);
  pool.add(ClassColumn(points, {{0, 1}, {1, 1}}));
  pool.add(ClassColumn(points, {{3, 1}, {2, 1}}));
  pool.add(ClassColumn(points, {{2, 1}, {3, 1}}));
  std::vector<double> prices(4, 0);
  EXPECT_NEAR(pool.least(0, prices), 1, 1e-9);
  EXPECT_NEAR(pool.least(3, prices), 4, 1e-9);
  EXPECT_NEAR(pool.ascend(prices, 50, 0, ticker), 10, 1e-9);
}

}  // namespace
}  // namespace anonkit
