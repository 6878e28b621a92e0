#include "method/univariate.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.hpp"
#include "fixture/random_space.hpp"
#include "method/growing/mdav.hpp"
#include "metric/sse.hpp"
#include "search/loss/sse_loss.hpp"
#include "search/search.hpp"

namespace anonkit {
namespace {

double plain_sse(const Space& space, const Partition& partition) {
  return sse(space, partition);
}

/// The least loss over all partitions into classes of at least k, by enumeration: each record in
/// turn joins an existing class or starts one.
double least_loss(const Space& space, Record k,
                  double (*loss)(const Space& space, const Partition& partition),
                  Partition partition = {}) {
  const auto placed = static_cast<Record>(partition.class_of.size());
  if (placed == space.size()) {
    const Members members = members_of(partition);
    for (const RecordSpan of_class : members)
      if (of_class.size() < k) return std::numeric_limits<double>::infinity();
    return loss(space, partition);
  }
  double least = std::numeric_limits<double>::infinity();
  for (ClassId c = 0; c <= partition.classes && c < space.size() / k; ++c) {
    Partition next = partition;
    next.class_of.push_back(c);
    next.classes = std::max(next.classes, c + 1);
    least = std::min(least, least_loss(space, k, loss, next));
  }
  return least;
}

TEST(Univariate, ReachesTheLeastSseOfAllPartitions) {
  RandomSpaces random(1);
  for (int round = 0; round < 80; ++round) {
    const auto shape = static_cast<Shape>(round % static_cast<int>(Shape::mixed));
    const int k = random.between(1, 4), n = random.between(k, k == 1 ? 6 : 9);
    const Space space = random.make(shape, n, 1);
    SilentTicker ticker;
    const double least = least_loss(space, k, plain_sse);
    EXPECT_NEAR(sse(space, univariate(space, k, ticker)), least, 1e-12 * (1 + least));
  }
}

/// The loss when means are published as whole numbers.
double rounded_sse(const Space& space, const Partition& partition) {
  const SseLoss loss(space);
  SilentTicker ticker;
  return total_loss(loss, partition, ticker);
}

TEST(Univariate, ReachesTheLeastLossOfRoundedMeans) {
  RandomSpaces random(3);
  for (int round = 0; round < 60; ++round) {
    const int k = random.between(2, 4), n = random.between(k, 9);
    Space space = random.make(Shape::grid, n, 1);
    space.publish_in({{1, 0, 1}});
    SilentTicker ticker;
    const double least = least_loss(space, k, rounded_sse);
    EXPECT_NEAR(rounded_sse(space, univariate(space, k, ticker)), least, 1e-12 * (1 + least));
  }
}

TEST(Univariate, IsNeverWorseThanMdavAndKeepsToTheSizes) {
  RandomSpaces random(2);
  for (int round = 0; round < 300; ++round) {
    const auto shape = static_cast<Shape>(round % static_cast<int>(Shape::mixed));
    const int n = random.between(1, 200), k = random.between(1, std::min(n, 20));
    const Space space = random.make(shape, n, 1);
    SilentTicker ticker;
    const Partition partition = univariate(space, k, ticker);
    const double other = sse(space, mdav(space, k, ticker));
    EXPECT_LE(sse(space, partition), other * (1 + 1e-12));
    const Members members = members_of(partition);
    for (const RecordSpan of_class : members) {
      EXPECT_GE(of_class.size(), k);
      EXPECT_LE(of_class.size(), 2 * k - 1);
    }
  }
}

TEST(Univariate, KeepsNarrowClassesApartFarFromZero) {
  // Two pairs a millionth apart at 10^9, which sums of squares in plain doubles could not resolve.
  const Space space({1e9, 1e9 + 1e-6, 1e9 + 2e-6, 1e9 + 3e-6, 0, 1}, {Attribute{}});
  SilentTicker ticker;
  EXPECT_EQ(univariate(space, 2, ticker).class_of, (std::vector<ClassId>{0, 0, 1, 1, 2, 2}));
}

TEST(Univariate, RefusesOtherSpaces) {
  SilentTicker ticker;
  EXPECT_THROW(univariate(Space({1, 2}, {Attribute{}, Attribute{}}), 1, ticker), Error);
  EXPECT_THROW(univariate(Space({1, 0}, {Attribute{Kind::nominal, 1, 2}}), 1, ticker), Error);
}

}  // namespace
}  // namespace anonkit
