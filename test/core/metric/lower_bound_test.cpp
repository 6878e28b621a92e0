#include "metric/lower_bound.hpp"

#include <gtest/gtest.h>

#include "fixture/random_space.hpp"
#include "fixture/reference_data.hpp"
#include "method/mdav.hpp"
#include "method/univariate.hpp"
#include "metric/sse.hpp"

namespace anonkit {
namespace {

TEST(LowerBound, IsNeverAboveWhatAPartitionLoses) {
  RandomSpaces random(1);
  for (int round = 0; round < 400; ++round) {
    const int n = random.between(1, 60), k = random.between(1, std::min(n, 8));
    const Space space = random.make(static_cast<Shape>(round % kShapes), n, random.between(1, 5));
    SilentTicker ticker;
    EXPECT_LE(sse_lower_bound(space, k, ticker),
              sse(space, mdav(space, k, ticker)) * (1 + 1e-12) + 1e-12);
    // Any partition with classes of k or more: here random ones, often of large classes.
    Partition partition;
    partition.classes = random.between(1, n / k);
    for (int i = 0; i < n; ++i) partition.class_of.push_back(i % partition.classes);
    EXPECT_LE(sse_lower_bound(space, k, ticker), sse(space, partition) * (1 + 1e-12) + 1e-12);
  }
}

TEST(LowerBound, IsAtMostTheOptimumOfOneAttributeAndMeetsItForEqualPairs) {
  RandomSpaces random(2);
  SilentTicker ticker;
  for (int round = 0; round < 100; ++round) {
    const int n = random.between(1, 80), k = random.between(1, std::min(n, 9));
    const Space space = random.make(Shape::normal, n, 1);
    EXPECT_LE(sse_lower_bound(space, k, ticker),
              sse(space, univariate(space, k, ticker)) * (1 + 1e-12));
  }
  const Space pairs({0, 2, 100, 102}, {Attribute{}});
  EXPECT_DOUBLE_EQ(sse_lower_bound(pairs, 2, ticker), 4);
}

TEST(LowerBound, OfCensusIsWhatWasMeasuredIndependently) {
  const auto records = read_records("census.csv");
  if (records.empty())
    GTEST_SKIP() << "skipped: " << reference_file("census.csv") << " is not there";
  const Space space = standardized(records);
  SilentTicker ticker;
  EXPECT_NEAR(100 * sse_lower_bound(space, 3, ticker) / sst(space), 3.444, 5e-4);
  EXPECT_NEAR(100 * sse_lower_bound(space, 5, ticker) / sst(space), 5.017, 5e-4);
  EXPECT_NEAR(100 * sse_lower_bound(space, 10, ticker) / sst(space), 7.336, 5e-4);
}

}  // namespace
}  // namespace anonkit
