#include "method/peeling/peeling.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "fixture/classes_of.hpp"
#include "fixture/impatient_ticker.hpp"
#include "fixture/random_generalisation.hpp"
#include "fixture/trials.hpp"
#include "method/mondrian/mondrian.hpp"
#include "promise/distinct_values.hpp"
#include "reference/peeling.hpp"

namespace anonkit {
namespace {

TEST(Peeling, HasTheClassesOfThePlainReference) {
  std::mt19937_64 random(1);
  SilentTicker ticker;
  for (int round = 0; round < trials(400); ++round) {
    const std::vector<Hierarchy> hierarchies = some_hierarchies(random);
    const int k = roll(random, 1, 6);
    const Record n = roll(random, k, 60);
    const GeneralisationSpace space =
        random_generalisation(random, n, roll(random, 1, 3), hierarchies);
    const std::optional<Partition> found = peel(space, k, {}, ticker);
    const auto any = [](const std::vector<Record>&) { return true; };
    const std::optional<Partition> expected = ReferencePeeling(space, k, any).run();
    ASSERT_TRUE(found && expected) << "round " << round;
    for (const auto& members : classes_of(*found)) EXPECT_GE(static_cast<int>(members.size()), k);
    ASSERT_EQ(found->class_of, expected->class_of) << "round " << round;
  }
}

TEST(Peeling, DoesNotDivideEqualRecords) {
  std::mt19937_64 random(2);
  SilentTicker ticker;
  for (int round = 0; round < trials(200); ++round) {
    std::vector<double> values;
    for (int i = 0; i < 200; ++i) values.push_back(roll(random, 0, 2) / 2.0);
    const GeneralisationSpace space(values, std::vector<Domain>(2));
    const std::optional<Partition> found = peel(space, 2, {}, ticker);
    ASSERT_TRUE(found);
    for (Record a = 0; a < space.size(); ++a)
      for (Record b = 0; b < a; ++b) {
        if (space.row(a)[0] != space.row(b)[0] || space.row(a)[1] != space.row(b)[1]) continue;
        ASSERT_EQ(found->class_of[static_cast<std::size_t>(a)],
                  found->class_of[static_cast<std::size_t>(b)]);
      }
  }
}

TEST(Peeling, EveryClassKeepsTheConstraints) {
  std::mt19937_64 random(3);
  SilentTicker ticker;
  int divided = 0;
  for (int round = 0; round < trials(300); ++round) {
    const std::vector<Hierarchy> hierarchies = some_hierarchies(random);
    const Record n = roll(random, 8, 60);
    const GeneralisationSpace space = random_generalisation(random, n, 3, hierarchies);
    std::vector<std::int32_t> sensitive;
    for (Record i = 0; i < n; ++i) sensitive.push_back(i < 3 ? i : roll(random, 0, 3));
    DistinctValues distinct({sensitive}, 3);
    const std::optional<Partition> found = peel(space, 2, {&distinct}, ticker);
    // One class of all has three values, so the top of the lattice takes all that are left.
    ASSERT_TRUE(found);
    for (const auto& members : classes_of(*found)) {
      std::set<std::int32_t> values;
      for (const Record i : members) values.insert(sensitive[static_cast<std::size_t>(i)]);
      EXPECT_GE(values.size(), 3U);
    }
    divided += found->classes > 1 ? 1 : 0;
  }
  EXPECT_GT(divided, trials(300) / 2);
}

TEST(Peeling, LosesLessThanCutsWhereColumnsAreSkewedAndIndependent) {
  std::mt19937_64 random(4);
  SilentTicker ticker;
  const std::vector<Hierarchy> hierarchies = {
      Hierarchy({{0, 0, 0, 0, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 0, 0, 0}})};
  std::vector<double> codes;
  for (int i = 0; i < 3000 * 5; ++i)
    codes.push_back(std::min({roll(random, 0, 7), roll(random, 0, 7), roll(random, 0, 7)}));
  const GeneralisationSpace space(codes, std::vector<Domain>(5, domain_of(hierarchies[0], 1)));
  const std::optional<Partition> peeled = peel(space, 5, {}, ticker);
  ASSERT_TRUE(peeled);
  EXPECT_LT(plain_ncp(space, *peeled),
            0.95 * plain_ncp(space, mondrian(space, 5, {}, MondrianCut::cheapest, ticker)));
}

TEST(Peeling, ManyDifferentValuesInManyColumnsEndItBeforeItsTime) {
  std::mt19937_64 random(5);
  std::vector<double> values;
  for (int i = 0; i < 20000; ++i) values.push_back(roll(random, 0, 1 << 20) / 1048576.0);
  const GeneralisationSpace space(values, std::vector<Domain>(10));
  ImpatientTicker ticker(60000);
  try {
    peel(space, 5, {}, ticker);
  } catch (...) {
    FAIL() << "more polls than 2,000 visits of each record need";
  }
}

TEST(Peeling, ColumnsWhoseLevelsAreMoreCombinationsThanAreVisitedGetNoClasses) {
  std::mt19937_64 random(6);
  SilentTicker ticker;
  const int columns[] = {9, 10, 33, 40};
  for (const int d : columns) {
    std::vector<double> values;
    for (int i = 0; i < 8 * d; ++i) values.push_back(roll(random, 0, 9));
    const GeneralisationSpace space(values, std::vector<Domain>(static_cast<std::size_t>(d)));
    EXPECT_EQ(peel(space, 2, {}, ticker).has_value(), d < 10) << d;  // 2^10 > 100 times 8
  }
}

}  // namespace
}  // namespace anonkit
