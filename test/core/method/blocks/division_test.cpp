// How tables are divided: the default, and cuts between categories.

#include <gtest/gtest.h>

#include <vector>

#include "base/at.hpp"
#include "base/random.hpp"
#include "method/blocks/blocks.hpp"
#include "method/blocks/borders.hpp"

namespace anonkit {
namespace {

Options usual(Record k, int threads = 1) {
  Options options;
  options.k = k;
  options.threads = threads;
  return options;
}

/// How the default method divides records that it is not told to divide.
BlockDivision usual_division(const Space& space, const Options& options,
                             const char* method = "microaggregate") {
  const Table table;
  const Problem problem{table, {}, {}, space, {}, options, {}, space.size()};
  SilentTicker ticker;
  return division_of(problem, *find_method(method), ticker);
}

TEST(BlockDivision, TheDefaultDependsOnTheRecordsOnly) {
  const auto size_for = [](Record n, int threads, const char* method) {
    const Space space(std::vector<double>(2 * at(n), 1.0), {{}, {}});
    return usual_division(space, usual(5, threads), method).block_size;
  };
  EXPECT_EQ(size_for(1000, 8, "microaggregate"), 0);
  EXPECT_GT(size_for(1000000, 1, "microaggregate"), 0);
  for (const int threads : {2, 8})
    EXPECT_EQ(size_for(1000000, threads, "microaggregate"), size_for(1000000, 1, "microaggregate"));
  EXPECT_EQ(size_for(1000000, 8, "mdav"), 0);
}

/// Numbers of which so many are distinct, beside two categories.
Space numbers_and_categories(Record records, Record distinct) {
  std::vector<double> values;
  for (Record i = 0; i < records; ++i) {
    values.push_back(i / 2 % distinct);
    values.push_back(i % 2);
  }
  return Space(std::move(values), {{}, {Kind::nominal, 1, 2}});
}

// Where many records are equal, cuts of numbers lose more than the entire table.
TEST(BlockDivision, NumbersBesideCategoriesAreCutIfFewRecordsAreEqual) {
  const Options options = usual(5);
  EXPECT_EQ(usual_division(numbers_and_categories(300000, 150000), options).attributes,
            CutAttributes::all);
  EXPECT_EQ(usual_division(numbers_and_categories(300000, 75000), options).attributes,
            CutAttributes::nominal);
}

TEST(BlockDivision, CategoriesAreDividedEarlierThanNumbersAndUnderPromises) {
  const auto divides = [](const Space& space, const Options& options) {
    return usual_division(space, options).block_size > 0;
  };
  const Options alone = usual(5);
  Options diverse = alone;
  diverse.promises.l = 3;
  for (const Record n : {100000, 100001, 250000}) {
    const Space numbers(std::vector<double>(2 * at(n), 1.0), {{}, {}});
    EXPECT_EQ(divides(numbers, alone), n == 250000);
    EXPECT_FALSE(divides(numbers, diverse));
    const Space mixed = numbers_and_categories(n, n);
    EXPECT_EQ(divides(mixed, alone), n > 100000);
    EXPECT_EQ(divides(mixed, diverse), n > 100000);
    Options in_sets = diverse;
    in_sets.transparency.adapt = 0.5;
    EXPECT_FALSE(divides(mixed, in_sets));
    Options thorough = diverse;
    thorough.effort = Effort::thorough;
    EXPECT_FALSE(divides(mixed, thorough));
  }
}

TEST(BlockDivision, LargerClassesHaveLargerBlocks) {
  const auto size_for = [](Record k) {
    return usual_division(numbers_and_categories(300000, 300000), usual(k)).block_size;
  };
  EXPECT_EQ(size_for(250), 62500);
  EXPECT_EQ(size_for(251), 62750);
  EXPECT_EQ(size_for(100000), 300000);
}

// Near records differ in numbers rather than in categories.
TEST(BlockTree, CutsBetweenCategoriesFirst) {
  Random random(5);
  std::vector<double> values;
  for (int i = 0; i < 400; ++i) {
    values.push_back(random.below(1000));
    values.push_back(i % 4);
  }
  SilentTicker ticker;
  const Space space(values, {{}, {Kind::nominal, 1, 4}});
  for (const CutAttributes attributes : {CutAttributes::all, CutAttributes::nominal}) {
    const BlockTree tree(space, 100, attributes, 0, 1, ticker);
    ASSERT_EQ(tree.blocks(), 4);
    for (std::int32_t block = 0; block < 4; ++block)
      for (const Record i : tree.records({block, block + 1})) EXPECT_EQ(i % 4, block);
  }
  EXPECT_EQ(BlockTree(space, 50, CutAttributes::all, 0, 1, ticker).blocks(), 8);
  EXPECT_EQ(BlockTree(space, 50, CutAttributes::nominal, 0, 1, ticker).blocks(), 4);
}

TEST(Borders, AClassIsNextToAnotherCategoryIfItIsWideEnough) {
  // Each pair has one category. Twelve radii of a pair of even number exceed the distance between
  // categories, which is 1; those of the others do not.
  std::vector<double> values;
  Partition pairs;
  for (int i = 0; i < 200; ++i) {
    values.push_back(10 * (i / 2) + (i % 2) * (i / 2 % 2 == 0 ? 0.17 : 0.16));
    values.push_back(i / 100);
    pairs.class_of.push_back(i / 2);
  }
  pairs.classes = 100;
  SilentTicker ticker;
  const Space space(values, {{}, {Kind::nominal, 1, 2}});
  const BlockTree tree(space, 100, CutAttributes::all, 0, 1, ticker);
  ASSERT_EQ(tree.blocks(), 2);
  const auto near = classes_at_cuts(space, members_of(pairs), tree, {{0, 1}, {1, 2}}, 1, ticker);
  ASSERT_EQ(near.size(), 1U);
  ASSERT_EQ(near[0].size(), 50U);
  for (const ClassId c : near[0]) EXPECT_EQ(c % 2, 0);
}

}  // namespace
}  // namespace anonkit
