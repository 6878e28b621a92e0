#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>

#include "base/error.hpp"
#include "fixture/search_fixture.hpp"
#include "promise/class_size.hpp"
#include "promise/distinct_values.hpp"
#include "promise/promised.hpp"
#include "promise/table_closeness.hpp"
#include "search/refine.hpp"

namespace anonkit {
namespace {

using Codes = std::vector<std::int32_t>;

/// The earth mover's distance from its definition: sums over all values of the table.
double plain_emd(const Codes& codes, const std::vector<Record>& members, GroundDistance distance) {
  const std::int32_t m = 1 + *std::max_element(codes.begin(), codes.end());
  std::vector<double> difference(static_cast<std::size_t>(m), 0);
  for (const std::int32_t c : codes)
    difference[static_cast<std::size_t>(c)] -= 1.0 / static_cast<double>(codes.size());
  for (const Record i : members)
    difference[static_cast<std::size_t>(codes[static_cast<std::size_t>(i)])] +=
        1.0 / static_cast<double>(members.size());
  double sum = 0, running = 0;
  for (const double d : difference) {
    running += d;
    sum += std::fabs(distance == GroundDistance::ordered ? running : d / 2);
  }
  return distance == GroundDistance::ordered && m > 1 ? sum / (m - 1) : sum;
}

std::size_t plain_distinct(const Codes& codes, const std::vector<Record>& members) {
  std::set<std::int32_t> values;
  for (const Record i : members) values.insert(codes[static_cast<std::size_t>(i)]);
  return values.size();
}

/// Codes 0 .. m-1, each used, from all equal to all different.
Codes random_codes(std::mt19937_64& random, Record n) {
  const int most = roll(random, 1, n);
  Codes raw;
  for (Record i = 0; i < n; ++i) raw.push_back(roll(random, 0, most - 1));
  std::map<std::int32_t, std::int32_t> place;
  for (const std::int32_t c : raw) place[c] = 0;
  std::int32_t next = 0;
  for (auto& entry : place) entry.second = next++;
  for (std::int32_t& c : raw) c = place[c];
  return raw;
}

/// Round robin in the order of the values makes classes similar to the table.
Partition deal_by(const Codes& codes, ClassId classes) {
  std::vector<Record> order = in_order(static_cast<Record>(codes.size()));
  std::stable_sort(order.begin(), order.end(), [&](Record a, Record b) {
    return codes[static_cast<std::size_t>(a)] < codes[static_cast<std::size_t>(b)];
  });
  return round_robin(order, classes);
}

std::vector<std::vector<Record>> lists(const Partition& partition) {
  std::vector<std::vector<Record>> lists(static_cast<std::size_t>(partition.classes));
  for (std::size_t i = 0; i < partition.class_of.size(); ++i)
    lists[static_cast<std::size_t>(partition.class_of[i])].push_back(static_cast<Record>(i));
  return lists;
}

RefineOptions thorough(std::uint64_t seed, double scale) {
  RefineOptions options;
  options.effort = Effort::thorough;
  options.seed = seed;
  options.scale = scale;
  return options;
}

void check_t_closeness(GroundDistance distance, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::int64_t accepted = 0, refused = 0;
  for (int round = 0; round < 100; ++round) {
    const Record n = roll(random, 4, 70);
    const Space space = random_space(random, n, std::vector<Attribute>(2));
    const Codes codes = random_codes(random, n);
    const Partition start = deal_by(codes, roll(random, 1, n / 2));
    double t = 0;
    for (const auto& members : lists(start)) t = std::max(t, plain_emd(codes, members, distance));
    // Exactly the start's level in every other round, up to the rounding of the plain sum.
    t = std::min(1.0, t + (round % 2 == 0 ? 1e-13 : 0.05));
    TClosenessConstraint closeness(codes, distance, t);
    AuditedConstraint audited(closeness, [&](const std::vector<Record>& members) {
      const double emd = plain_emd(codes, members, distance);
      return std::fabs(emd - t) < 1e-12 ? 0 : emd < t ? 1 : -1;
    });
    SilentTicker ticker;
    const RefineResult result = refine(space, start, 2, {&audited}, thorough(seed, 0.001), ticker);
    EXPECT_LE(result.loss_after, result.loss_before);
    for (const auto& members : lists(result.partition))
      EXPECT_LE(plain_emd(codes, members, distance), t + 1e-12);
    accepted += audited.accepted;
    refused += audited.refused;
  }
  EXPECT_GT(accepted, 1000) << "the audit saw too few states to mean anything";
  EXPECT_GT(refused, 1000);
}

TEST(TClosenessConstraint, OrderedAgreesWithThePlainSumOnEveryState) {
  check_t_closeness(GroundDistance::ordered, 31);
}

TEST(TClosenessConstraint, NominalAgreesWithThePlainSumOnEveryState) {
  check_t_closeness(GroundDistance::nominal, 32);
}

TEST(EntropyDiversity, HoldsForClassesOfAnySize) {
  Promises promises;
  promises.entropy_l = 2;
  for (const Record each : {1, 2, 511, 512, 513, 1023, 1024, 1025, 1026}) {
    SensitiveAttribute illness;
    for (Record i = 0; i < 2 * each; ++i) illness.ranks.push_back(i % 2);
    illness.ranks.push_back(0);
    const Constraints constraints = promised_constraints({illness}, promises);
    std::vector<Record> members = in_order(2 * each);
    EXPECT_TRUE(constraints[0]->allows(RecordSpan(members))) << each;
    members.push_back(2 * each);
    EXPECT_FALSE(constraints[0]->allows(RecordSpan(members))) << each;
  }
}

TEST(TClosenessConstraint, AcceptsADistanceOfExactlyT) {
  // Ranks 0..3; {0, 3}: C = 1/2, 1/2, 1/2 against 1/4, 2/4, 3/4: (1/4 + 0 + 1/4) / 3 = 1/6.
  const TClosenessConstraint sixth({0, 1, 2, 3}, GroundDistance::ordered, 1.0 / 6);
  EXPECT_TRUE(sixth.allows(RecordSpan(std::vector<Record>{0, 3})));
  const TClosenessConstraint below({0, 1, 2, 3}, GroundDistance::ordered,
                                   std::nextafter(1.0 / 6, 0));
  EXPECT_FALSE(below.allows(RecordSpan(std::vector<Record>{0, 3})));
  // {0, 1} of ten different values: 1 - 2/10.
  const Codes ten = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_TRUE(TClosenessConstraint(ten, GroundDistance::nominal, 0.8)
                  .allows(RecordSpan(std::vector<Record>{0, 1})));
  EXPECT_FALSE(TClosenessConstraint(ten, GroundDistance::nominal, 0.79)
                   .allows(RecordSpan(std::vector<Record>{0, 1})));
}

TEST(TClosenessConstraint, MeetsTheBoundOfProposition1) {
  // k divides n, distinct values: the medians of k equal shares reach (n+k)(n-k)/(4n(n-1)k).
  const Record n = 45, k = 5;
  std::vector<Record> medians;
  for (Record i = 0; i < k; ++i) medians.push_back(i * 9 + 4);
  const double bound = static_cast<double>((n + k) * (n - k)) / (4 * n * (n - 1) * k);
  const Codes codes(in_order(n));
  EXPECT_TRUE(TClosenessConstraint(codes, GroundDistance::ordered, bound * (1 + 1e-12))
                  .allows(RecordSpan(medians)));
  EXPECT_FALSE(TClosenessConstraint(codes, GroundDistance::ordered, bound * (1 - 1e-12))
                   .allows(RecordSpan(medians)));
}

TEST(TClosenessConstraint, DoesNotOverflowOnLargeTables) {
  const std::int32_t n = 2000000;
  std::vector<Record> half;
  for (Record i = 0; i < n / 2; ++i) half.push_back(i);
  const Codes codes(in_order(n));
  // The lower half of n different values: mass 1/2 over half the range, n/(4(n-1)) * ... = 1/4.
  const double emd = static_cast<double>(n) / (4.0 * (n - 1));
  EXPECT_TRUE(
      TClosenessConstraint(codes, GroundDistance::ordered, emd + 1e-12).allows(RecordSpan(half)));
  EXPECT_FALSE(
      TClosenessConstraint(codes, GroundDistance::ordered, emd - 1e-12).allows(RecordSpan(half)));
  EXPECT_TRUE(TClosenessConstraint(codes, GroundDistance::nominal, 0.5).allows(RecordSpan(half)));
}

TEST(TClosenessConstraint, RefusesAnImpossibleT) {
  EXPECT_THROW(TClosenessConstraint({0, 1}, GroundDistance::ordered, -0.1), Error);
  EXPECT_THROW(TClosenessConstraint({0, 1}, GroundDistance::ordered, 1.5), Error);
  EXPECT_THROW(TClosenessConstraint({0, 1}, GroundDistance::ordered, std::nan("")), Error);
}

TEST(DistinctValues, AreOneOrMore) {
  EXPECT_NO_THROW(DistinctValues({{0, 1}}, 1));
  EXPECT_THROW(DistinctValues({{0, 1}}, 0), Error);
}

TEST(DistinctValues, AgreesWithCountingOnEveryState) {
  std::mt19937_64 random(41);
  std::int64_t accepted = 0, refused = 0;
  for (int round = 0; round < 100; ++round) {
    const Record n = roll(random, 6, 70);
    const Space space = random_space(random, n, std::vector<Attribute>(2));
    std::vector<Codes> codes;
    for (int a = 0; a < 3; ++a) codes.push_back(random_codes(random, n));
    const Partition start = round_robin(in_order(n), roll(random, 1, n / 3));
    std::size_t p = 1000;
    for (const auto& members : lists(start))
      for (const Codes& c : codes) p = std::min(p, plain_distinct(c, members));
    DistinctValues distinct(codes, static_cast<std::int32_t>(p));
    AuditedConstraint audited(distinct, [&](const std::vector<Record>& members) {
      for (const Codes& c : codes)
        if (plain_distinct(c, members) < p) return -1;
      return 1;
    });
    SilentTicker ticker;
    const RefineResult result = refine(space, start, 2, {&audited}, thorough(1, 0.001), ticker);
    EXPECT_LE(result.loss_after, result.loss_before);
    for (const auto& members : lists(result.partition))
      for (const Codes& c : codes) EXPECT_GE(plain_distinct(c, members), p);
    accepted += audited.accepted;
    refused += audited.refused;
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 1000);
}

TEST(Constraints, AllHoldTogether) {
  std::mt19937_64 random(51);
  const Record n = 400;
  const Space space = random_space(random, n, std::vector<Attribute>(3));
  const Codes pay(random_codes(random, n));
  Codes sex;
  for (Record i = 0; i < n; ++i) sex.push_back(roll(random, 0, 1));
  TClosenessConstraint closeness(pay, GroundDistance::ordered, 0.2);
  DistinctValues distinct({sex}, 2);
  ClassSize size(4, 9);
  // A start for t = .2 with both sexes in each class.
  std::vector<Record> order = in_order(n);
  std::stable_sort(order.begin(), order.end(), [&](Record a, Record b) {
    const auto x = static_cast<std::size_t>(a), y = static_cast<std::size_t>(b);
    return std::make_pair(sex[x], pay[x]) < std::make_pair(sex[y], pay[y]);
  });
  SilentTicker ticker;
  const RefineResult result = refine(space, round_robin(order, 50), 4,
                                     {&closeness, &distinct, &size}, thorough(1, 0.004), ticker);
  EXPECT_LT(result.loss_after, 0.8 * result.loss_before);
  for (const auto& members : lists(result.partition)) {
    EXPECT_LE(plain_emd(pay, members, GroundDistance::ordered), 0.2 + 1e-12);
    EXPECT_EQ(plain_distinct(sex, members), 2u);
    EXPECT_GE(members.size(), 4u);
    EXPECT_LE(members.size(), 9u);
  }
}

TEST(ClassSize, RefusesAnEmptyRange) {
  EXPECT_THROW(ClassSize(0, 3), Error);
  EXPECT_THROW(ClassSize(4, 3), Error);
}

}  // namespace
}  // namespace anonkit
