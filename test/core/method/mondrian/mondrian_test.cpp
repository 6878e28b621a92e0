#include "method/mondrian/mondrian.hpp"
#include "fixture/trials.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "fixture/classes_of.hpp"
#include "fixture/impatient_ticker.hpp"
#include "fixture/random_generalisation.hpp"
#include "promise/distinct_values.hpp"
#include "reference/mondrian.hpp"
#include "search/loss/ncp_loss.hpp"
#include "search/refine.hpp"

namespace anonkit {
namespace {

constexpr MondrianCut kCuts[] = {MondrianCut::strict, MondrianCut::relaxed, MondrianCut::cheapest};

TEST(Mondrian, FormsTheClassesOfThePlainReference) {
  std::mt19937_64 random(1);
  SilentTicker ticker;
  for (int round = 0; round < trials(600); ++round) {
    const std::vector<Hierarchy> hierarchies = some_hierarchies(random);
    const int k = roll(random, 1, 6);
    const Record n = roll(random, k, 70);
    const GeneralisationSpace space =
        random_generalisation(random, n, roll(random, 1, 5), hierarchies);
    for (const MondrianCut cut : kCuts) {
      const Partition found = mondrian(space, k, {}, cut, ticker);
      const auto any = [](const std::vector<Record>&) { return true; };
      const Partition expected = ReferenceMondrian(space, k, cut, any).run();
      ASSERT_EQ(found.class_of, expected.class_of) << "round " << round;
      ASSERT_EQ(found.classes, expected.classes);
      for (const auto& members : classes_of(found)) EXPECT_GE(static_cast<int>(members.size()), k);
    }
  }
}

TEST(Mondrian, EveryClassKeepsTheConstraints) {
  std::mt19937_64 random(2);
  SilentTicker ticker;
  int refused = 0;
  for (int round = 0; round < trials(300); ++round) {
    const std::vector<Hierarchy> hierarchies = some_hierarchies(random);
    const Record n = roll(random, 8, 60);
    const GeneralisationSpace space = random_generalisation(random, n, 3, hierarchies);
    std::vector<std::int32_t> sensitive;
    for (Record i = 0; i < n; ++i) sensitive.push_back(i < 3 ? i : roll(random, 0, 3));
    DistinctValues distinct({sensitive}, 3);
    const auto diverse = [&](const std::vector<Record>& members) {
      std::set<std::int32_t> values;
      for (const Record i : members) values.insert(sensitive[static_cast<std::size_t>(i)]);
      return values.size() >= 3;
    };
    for (const MondrianCut cut : kCuts) {
      const Partition found = mondrian(space, 2, {&distinct}, cut, ticker);
      ASSERT_EQ(found.class_of, ReferenceMondrian(space, 2, cut, diverse).run().class_of);
      for (const auto& members : classes_of(found)) EXPECT_TRUE(diverse(members));
      refused += found.classes < mondrian(space, 2, {}, cut, ticker).classes ? 1 : 0;
    }
  }
  EXPECT_GT(refused, 100);
}

TEST(Mondrian, StrictClassesDoNotOverlap) {
  std::mt19937_64 random(3);
  SilentTicker ticker;
  for (int round = 0; round < 100; ++round) {
    std::vector<double> values;
    for (int i = 0; i < 120; ++i) values.push_back(roll(random, 0, 8) / 8.0);
    const GeneralisationSpace space(values, std::vector<Domain>(2));
    const Partition found = mondrian(space, 3, {}, MondrianCut::strict, ticker);
    // A record within the ranges of another class would belong to two classes of the release.
    for (const auto& members : classes_of(found)) {
      for (Record i = 0; i < space.size(); ++i) {
        bool within = true;
        for (int j = 0; j < 2; ++j) {
          const auto below = [&](Record a, Record b) { return space.row(a)[j] < space.row(b)[j]; };
          const auto [low, high] = std::minmax_element(members.begin(), members.end(), below);
          within = within && !below(i, *low) && !below(*high, i);
        }
        EXPECT_EQ(within, std::find(members.begin(), members.end(), i) != members.end());
      }
    }
  }
}

TEST(Mondrian, RelaxedClassesAreBelowTwiceK) {
  std::mt19937_64 random(4);
  SilentTicker ticker;
  for (int round = 0; round < 100; ++round) {
    const int k = roll(random, 1, 7);
    std::vector<double> values;
    for (int i = 0; i < 100; ++i) values.push_back(roll(random, 0, 999) / 1024.0);
    values[0] = values[1];
    const GeneralisationSpace space(values, std::vector<Domain>(1));
    for (const auto& members : classes_of(mondrian(space, k, {}, MondrianCut::relaxed, ticker))) {
      const bool alike = space.row(members.front())[0] == space.row(members.back())[0];
      EXPECT_TRUE(alike || static_cast<int>(members.size()) < 2 * k);
    }
  }
}

TEST(Mondrian, CutsAHierarchyIntoTheChildrenOfTheCommonAncestor) {
  // Values 0..3 in groups {0,2} and {1,3}: no two neighbouring values are siblings.
  const Hierarchy hierarchy({{0, 1, 0, 1}, {0, 0, 0, 0}});
  const Domain domain = domain_of(hierarchy, 1);
  std::vector<double> positions;
  for (const int value : {0, 0, 1, 1, 2, 3})
    positions.push_back(domain.position[static_cast<std::size_t>(value)]);
  const GeneralisationSpace space(positions, {domain});
  SilentTicker ticker;
  const Partition found = mondrian(space, 2, {}, MondrianCut::strict, ticker);
  EXPECT_EQ(found.class_of, (std::vector<ClassId>{0, 0, 1, 1, 0, 1}));
}

TEST(Mondrian, RefusesWhatCannotBeOneClass) {
  const GeneralisationSpace space({0, 0.5, 1}, std::vector<Domain>(1));
  SilentTicker ticker;
  EXPECT_THROW(mondrian(space, 4, {}, MondrianCut::strict, ticker), Error);
  DistinctValues distinct({{0, 0, 0}}, 2);
  EXPECT_THROW(mondrian(space, 2, {&distinct}, MondrianCut::strict, ticker), Error);
}

TEST(Mondrian, CanBeCancelled) {
  std::vector<double> values;
  for (int i = 0; i < 100000; ++i) values.push_back((i * 7919 % 65536) / 65536.0);
  const GeneralisationSpace space(values, std::vector<Domain>(1));
  ImpatientTicker ticker;
  EXPECT_THROW(mondrian(space, 5, {}, MondrianCut::strict, ticker), Error);
}

}  // namespace
}  // namespace anonkit
