#include "space/point_sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/random.hpp"

namespace anonkit {
namespace {

using Point = std::vector<double>;

std::vector<Point> random_points(Random& random, std::size_t n, std::size_t d,
                                 std::uint32_t values) {
  std::vector<Point> points(n, Point(d));
  for (Point& point : points)
    for (double& x : point) x = static_cast<double>(random.below(values)) - 2;
  return points;
}

CountedPoints sample_of(const std::vector<Point>& points, std::size_t size, std::uint64_t seed,
                        bool* complete = nullptr) {
  PointSample sample(points.front().size(), size, seed);
  for (const Point& point : points) sample.add(point.data());
  EXPECT_EQ(sample.records(), static_cast<std::int64_t>(points.size()));
  CountedPoints taken = sample.take();
  if (complete != nullptr) *complete = sample.complete();
  return taken;
}

std::map<Point, std::int64_t> counted(const std::vector<Point>& points) {
  std::map<Point, std::int64_t> counts;
  for (const Point& point : points) ++counts[point];
  return counts;
}

Point at(const CountedPoints& points, std::size_t i) {
  return {points.point(i), points.point(i) + points.dimension};
}

TEST(PointSample, HoldsDistinctPointsWithTheirExactCounts) {
  Random random(1);
  for (int round = 0; round < 2000; ++round) {
    const auto points =
        random_points(random, 1 + random.below(80), 1 + random.below(3), 1 + random.below(6));
    const std::size_t size = 1 + random.below(30);
    const auto counts = counted(points);
    bool complete = false;
    const CountedPoints sample =
        sample_of(points, size, static_cast<std::uint64_t>(round), &complete);
    ASSERT_EQ(sample.size(), std::min(size, counts.size()));
    EXPECT_EQ(complete, counts.size() <= size);
    for (std::size_t i = 0; i < sample.size(); ++i) {
      EXPECT_EQ(sample.counts[i], counts.at(at(sample, i)));
      if (i > 0) {
        EXPECT_LT(at(sample, i - 1), at(sample, i));
      }
    }
  }
}

TEST(PointSample, DoesNotDependOnTheOrderOfTheRecords) {
  Random random(2);
  for (int round = 0; round < 1000; ++round) {
    auto points = random_points(random, 2 + random.below(200), 2, 12);
    const std::size_t size = 1 + random.below(20);
    const CountedPoints sample = sample_of(points, size, 7);
    for (std::size_t i = points.size(); i > 1; --i)
      std::swap(points[i - 1], points[random.below(static_cast<std::uint32_t>(i))]);
    const CountedPoints again = sample_of(points, size, 7);
    EXPECT_EQ(again.coordinates, sample.coordinates);
    EXPECT_EQ(again.counts, sample.counts);
  }
}

TEST(PointSample, TakesEveryPointEquallyOften) {
  constexpr std::size_t kPoints = 40, kSize = 10;
  constexpr int kRounds = 4000;
  std::vector<Point> points;
  for (std::size_t i = 0; i < kPoints; ++i)
    // Every second point has several records, which makes no difference.
    for (std::size_t copy = 0; copy < 1 + i % 2 * 5; ++copy)
      points.push_back({static_cast<double>(i)});
  std::map<double, int> taken;
  for (int seed = 0; seed < kRounds; ++seed)
    for (const double x : sample_of(points, kSize, static_cast<std::uint64_t>(seed)).coordinates)
      ++taken[x];
  // Six standard deviations of a binomial count of probability 1/4.
  for (const auto& [x, count] : taken) EXPECT_NEAR(count, kRounds / 4, 165) << x;
}

TEST(PointSample, TakesZerosOfEitherSignAsOnePoint) {
  EXPECT_EQ(sample_of({{0.0}, {-0.0}}, 5, 0).counts, std::vector<std::int64_t>{2});
}

}  // namespace
}  // namespace anonkit
