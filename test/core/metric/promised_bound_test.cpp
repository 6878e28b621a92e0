// The lower bound under promises on sensitive values, against the best of all partitions that keep
// them.

#include <gtest/gtest.h>

#include <algorithm>
#include <bitset>
#include <cmath>
#include <functional>
#include <vector>

#include "fixture/bound_rounds.hpp"
#include "fixture/random_sensitive.hpp"
#include "fixture/random_space.hpp"
#include "fixture/trials.hpp"
#include "metric/lower_bound.hpp"
#include "metric/sse.hpp"
#include "promise/promised.hpp"
#include "promise/table_distance.hpp"
#include "reference/optimal_partition.hpp"

namespace anonkit {
namespace {

std::vector<Record> records_of(unsigned members) {
  std::vector<Record> records;
  for (Record i = 0; members >> i != 0; ++i)
    if (members >> i & 1) records.push_back(i);
  return records;
}

/// The least SSE of classes of k records that keep the promises; infinity if there are none.
double least_promised(const Space& space, Record k,
                      const std::vector<SensitiveAttribute>& attributes, const Promises& promises) {
  const Constraints constraints = promised_constraints(attributes, promises);
  return reference::least_loss(
      space.size(), k, [&](unsigned members) { return reference::sse_of(space, members); },
      [&](unsigned members) {
        const std::vector<Record> records = records_of(members);
        return all_allow(constraints, RecordSpan(records));
      });
}

/// Sums over tables of the bounds with and without the promise, each as a share of the optimum.
struct Shares {
  double without = 0, with = 0, tables = 0;
};

using SetPromises = std::function<void(RandomSensitive&, Promises&)>;

Shares expect_below_optimum(std::uint64_t seed, int all, int most, const SetPromises& promise) {
  RandomSpaces spaces(seed);
  RandomSensitive random(seed + 1);
  SilentTicker ticker;
  Shares shares;
  for (int round = 0; round < trials(all); ++round) {
    const int n = spaces.between(2, most), k = spaces.between(1, std::min(n, 4));
    const Shape shape = static_cast<Shape>(round % kShapes);
    const Space space = spaces.make(shape, n, spaces.between(1, 3));
    const auto distance = static_cast<GroundDistance>(random.between(0, 2));
    const double t = random.between(1, 9) * 0.1;
    std::vector<SensitiveAttribute> attributes = {random.make(distance, n, t)};
    if (round % 4 == 0) attributes.push_back(random.make(GroundDistance::nominal, n, t));
    Promises promises;
    promise(random, promises);
    const double optimum = least_promised(space, k, attributes, promises);
    if (!std::isfinite(optimum)) continue;
    const ImpliedConstraints constraints = implied_constraints(k, attributes, promises);
    EXPECT_LE(plain_sse_lower_bound(space, constraints, ticker), optimum) << "round " << round;
    // Blocks smaller than the table see the other records as outsiders only.
    for (const Record block : {4, 7, 1200}) {
      const BoundOptions options = rounds(random.between(1, 60), block);
      const double bound = sse_lower_bound(space, constraints, options, ticker).value;
      EXPECT_LE(bound, optimum) << "round " << round << ", block " << block;
      if (optimum == 0 || block < 1200) continue;
      shares.without += sse_lower_bound(space, {k}, options, ticker).value / optimum;
      shares.with += bound / optimum;
      ++shares.tables;
    }
  }
  return shares;
}

/// The promise closes at least that share of the gap that the bound without it leaves.
void expect_closed(const Shares& shares, double least) {
  EXPECT_GT(shares.with, shares.without + least * (shares.tables - shares.without))
      << shares.without << ' ' << shares.with << ' ' << shares.tables;
}

TEST(PromisedBound, OfDistinctValuesIsNeverAboveTheOptimum) {
  expect_closed(expect_below_optimum(41, 1200, 10,
                                     [](RandomSensitive& random, Promises& promises) {
                                       promises.l = random.between(2, 4);
                                     }),
                0.4);
}

TEST(PromisedBound, HoldsForUpToTwelveRecords) {
  expect_below_optimum(43, 60, 12, [](RandomSensitive& random, Promises& promises) {
    (random.between(0, 1) == 0 ? promises.l : promises.p) = random.between(2, 5);
  });
}

TEST(PromisedBound, OfSharesIsNeverAboveTheOptimum) {
  expect_below_optimum(45, 600, 9, [](RandomSensitive& random, Promises& promises) {
    const int kind = random.between(0, 2);
    if (kind == 0) promises.alpha = random.between(3, 9) * 0.1;
    if (kind == 1) promises.entropy_l = random.between(10, 35) * 0.1;
    if (kind == 2) {
      promises.c = random.between(5, 30) * 0.1;
      promises.l = random.between(2, 3);
    }
  });
}

TEST(PromisedBound, OfClosenessIsNeverAboveTheOptimum) {
  expect_closed(expect_below_optimum(47, 900, 9,
                                     [](RandomSensitive&, Promises& promises) { promises.t = 1; }),
                0.25);
}

TEST(PromisedBound, OfClosenessHoldsForUpToTwelveRecords) {
  expect_below_optimum(49, 60, 12, [](RandomSensitive&, Promises& promises) { promises.t = 1; });
}

/// The least EMD of a class of any size with so many values: its shares are free.
double least_distance_of(const std::vector<std::int32_t>& ranks, GroundDistance distance,
                         unsigned values) {
  const auto n = static_cast<double>(ranks.size());
  const std::int32_t m = 1 + *std::max_element(ranks.begin(), ranks.end());
  double sum = 0;
  for (const std::int32_t rank : ranks) {
    double nearest = m;
    for (std::int32_t v = 0; v < m; ++v)
      if (values >> v & 1)
        nearest = std::min(nearest, distance == GroundDistance::nominal
                                        ? static_cast<double>(v != rank)
                                        : std::fabs(v - rank) / std::max(1, m - 1));
    sum += nearest / n;
  }
  return sum;
}

// Tries all sets of values: no smaller one is close enough, and one of the implied number is.
TEST(PromisedBound, ClosenessNeedsSoManyValues) {
  RandomSensitive random(51);
  for (int round = 0; round < trials(400); ++round) {
    const auto distance = round % 2 == 0 ? GroundDistance::nominal : GroundDistance::ordered;
    SensitiveAttribute attribute = random.make(distance, random.between(2, 40), 0);
    attribute.t = random.between(1, 60) * 0.01 + 0.001;
    Promises promises;
    promises.t = attribute.t;
    const auto implied = implied_constraints(2, {attribute}, promises).distinct;
    const std::int32_t m = 1 + *std::max_element(attribute.ranks.begin(), attribute.ranks.end());
    if (m > 12) continue;
    int fewest = m;
    for (unsigned values = 1; values < 1U << m; ++values)
      if (least_distance_of(attribute.ranks, distance, values) <= attribute.t)
        fewest = std::min(fewest, static_cast<int>(std::bitset<32>(values).count()));
    EXPECT_EQ(implied.empty() ? 1 : implied.front().distinct, fewest) << "round " << round;
  }
}

/// The least ordered distance of a class of so many records, whatever their values.
double least_distance_of_size(const std::vector<std::int32_t>& ranks, std::int32_t m, int size) {
  std::vector<double> share(static_cast<std::size_t>(m));
  for (const std::int32_t rank : ranks)
    share[static_cast<std::size_t>(rank)] += 1.0 / static_cast<double>(ranks.size());
  double least = 1;
  std::vector<int> counts(static_cast<std::size_t>(m));
  const std::function<void(std::size_t, int)> place = [&](std::size_t v, int left) {
    if (v + 1 < counts.size()) {
      for (counts[v] = 0; counts[v] <= left; ++counts[v]) place(v + 1, left - counts[v]);
      return;
    }
    double away = 0, sum = 0;
    for (std::size_t at = 0; at + 1 < counts.size(); ++at)
      sum += std::fabs(away += share[at] - static_cast<double>(counts[at]) / size);
    least = std::min(least, sum / std::max(1, m - 1));
  };
  place(0, size);
  return least;
}

// A class of s records has shares of multiples of 1/s.
TEST(PromisedBound, NominalClosenessNeedsSoManyRecords) {
  SensitiveAttribute attribute;
  attribute.distance = GroundDistance::nominal;
  const auto records = [&](std::vector<std::int32_t> ranks, double t) {
    attribute.ranks = std::move(ranks);
    attribute.t = t;
    return implied_by_closeness(attribute).records;
  };
  EXPECT_EQ(records({0, 1}, 0.5), 1);  // one of two equal values is half of the records away
  EXPECT_EQ(records({0, 1}, 0.4), 2);
  EXPECT_EQ(records({0, 1, 2}, 0.25), 2);  // 1/2, 1/2 and 0 or 1 for thirds: 3/6 in all
  EXPECT_EQ(records({0, 1, 2}, 0.2), 3);
  EXPECT_EQ(records({0, 0, 0, 1}, 0.25), 1);  // one of the frequent value
  EXPECT_EQ(records({0, 0, 0, 1}, 0.2), 3);   // 2 : 1, a twelfth away
}

// Tries all classes of a size: none of a smaller one is close enough.
TEST(PromisedBound, OrderedClosenessNeedsSoManyRecords) {
  RandomSensitive random(52);
  int needed = 0;
  for (int round = 0; round < trials(300); ++round) {
    SensitiveAttribute attribute = random.make(GroundDistance::ordered, random.between(2, 30), 0);
    attribute.t = random.between(1, 20) * 0.005 + 0.001;
    const std::int32_t m = 1 + *std::max_element(attribute.ranks.begin(), attribute.ranks.end());
    if (m < 2 || m > 4) continue;
    int least = 1;
    while (least_distance_of_size(attribute.ranks, m, least) > attribute.t) ++least;
    EXPECT_EQ(implied_by_closeness(attribute).records, least) << "round " << round;
    needed += least > 2 ? 1 : 0;
  }
  EXPECT_GT(needed, trials(20));
}

// Two heaps of equal values far apart: each class needs records of both.
TEST(PromisedBound, SeesThatValuesAreFarAway) {
  std::vector<double> values;
  SensitiveAttribute attribute;
  for (int i = 0; i < 40; ++i) {
    values.push_back(i < 20 ? i * 0.01 : 100 + i * 0.01);
    attribute.ranks.push_back(i < 20 ? 0 : 1);
  }
  const Space space(values, {Attribute{}});
  SilentTicker ticker;
  Promises promises;
  promises.l = 2;
  const double without = sse_lower_bound(space, {4}, rounds(60), ticker).value;
  const double with =
      sse_lower_bound(space, implied_constraints(4, {attribute}, promises), rounds(60), ticker)
          .value;
  EXPECT_LT(without, 1);
  // One record of the other heap in each class of 20 and 20: 2 * 19/20 * 100^2, or nearly so.
  EXPECT_GT(with, 5000);
}

}  // namespace
}  // namespace anonkit
