#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fixture/random_table.hpp"
#include "fixture/without_ticker.hpp"
#include "recode/masked.hpp"

namespace anonkit {
namespace {

/// All rows in one class.
Members one_class(const Table& table) {
  Members members;
  for (Record i = 0; i < table.rows; ++i) members.records.push_back(i);
  members.first_of = {0, table.rows};
  return members;
}

double centroid_of(const OwnedTable& owned) {
  const Table table = owned.view();
  return recode(table, one_class(table), Recode::centroid).low.at(0);
}

TEST(Recode, MeansLieWithinTheClass) {
  RandomTables random(1);
  for (int round = 0; round < 3000; ++round) {
    OwnedTable table = random.make(random.between(1, 12), 1, false, 0);
    const double factor = std::ldexp(1.0, random.between(-300, 300));
    for (double& value : table.values) value = value * factor + (round % 2 == 0 ? 0 : 1e15);
    const auto [low, high] = std::minmax_element(table.values.begin(), table.values.end());
    const double mean = centroid_of(table);
    ASSERT_GE(mean, *low);
    ASSERT_LE(mean, *high);
  }
}

TEST(Recode, MeansOfTheLargestNumbersDoNotOverflow) {
  EXPECT_EQ(centroid_of(table_of({1.7e308, 1.7e308, 1.7e308})), 1.7e308);
  EXPECT_NEAR(centroid_of(table_of({1.6e308, 1.7e308})), 1.65e308, 1e294);
  EXPECT_EQ(centroid_of(table_of({-8e307, 8e307})), 0);
}

TEST(Recode, EqualValuesArePublishedExactly) {
  for (const double value : {0.1, 1.0 / 3, -7e-300, 123456789.123456789})
    for (const std::size_t n : {1u, 3u, 7u, 10u, 1001u})
      EXPECT_EQ(centroid_of(table_of(std::vector<double>(n, value))), value);
}

TEST(Recode, MeanIsTheMean) {
  EXPECT_DOUBLE_EQ(centroid_of(table_of({1, 2, 6})), 3);
  EXPECT_DOUBLE_EQ(centroid_of(table_of({-5, 5, 3, 1})), 1);
}

TEST(Recode, OrdinalIsTheLowerMedian) {
  const Attribute ordinal{Kind::ordinal, 1, 6};
  EXPECT_EQ(centroid_of(table_of({5, 0, 3}, {ordinal})), 3);
  EXPECT_EQ(centroid_of(table_of({5, 0, 3, 1}, {ordinal})), 1);
  EXPECT_EQ(centroid_of(table_of({4}, {ordinal})), 4);
  EXPECT_EQ(centroid_of(table_of({4, 2}, {ordinal})), 2);
}

TEST(Recode, NominalIsTheModeAndOfSeveralTheLowestCode) {
  const Attribute nominal{Kind::nominal, 1, 6};
  EXPECT_EQ(centroid_of(table_of({5, 0, 5}, {nominal})), 5);
  EXPECT_EQ(centroid_of(table_of({5, 2, 2, 5, 0}, {nominal})), 2);
  EXPECT_EQ(centroid_of(table_of({5, 3, 4}, {nominal})), 3);
}

TEST(Recode, ClassesOfManyRecordsCountTheirCodes) {
  const Attribute ordinal{Kind::ordinal, 1, 3}, nominal{Kind::nominal, 1, 3};
  std::vector<double> codes(12000, 0);
  std::fill_n(codes.begin(), 5999, 2);
  EXPECT_EQ(centroid_of(table_of(codes, {ordinal})), 0);
  std::fill_n(codes.begin(), 6001, 2);
  EXPECT_EQ(centroid_of(table_of(codes, {ordinal})), 2);
  std::fill_n(codes.begin(), 6000, 1);
  codes[6000] = 0;
  EXPECT_EQ(centroid_of(table_of(codes, {nominal})), 0) << "1 is as frequent";
}

TEST(Recode, OneNullMakesTheNumberOfTheClassNull) {
  const OwnedTable owned = table_of({1, 2, kNull, 3, 4, 5, 8, 8}, {{}, {}});
  const Table table = owned.view();
  const Members members{{0, 1, 2, 3}, {0, 2, 4}};
  for (const Recode how : {Recode::centroid, Recode::range}) {
    const Masked masked = recode(table, members, how);
    EXPECT_TRUE(is_null(masked.low[0]));
    EXPECT_FALSE(is_null(masked.low[1]));
    EXPECT_FALSE(is_null(masked.low[2]));
    EXPECT_EQ(count_suppressed_cells(table, members, masked), 1);
    if (how == Recode::range) {
      EXPECT_TRUE(is_null(masked.high[0]));
    }
  }
}

TEST(Recode, RangesCoverTheClassAndSetsListItsCategories) {
  const OwnedTable owned =
      table_of({3, 4, 1, 2, 5, 1, -1, 7, 0, 7, 2, 0},
               {{}, Attribute{Kind::nominal, 1, 8}, Attribute{Kind::ordinal, 1, 2}});
  const Table table = owned.view();
  const Masked masked = recode(table, {{0, 1, 2, 3}, {0, 3, 4}}, Recode::range);
  EXPECT_EQ(masked.low[0], -1);
  EXPECT_EQ(masked.high[0], 3);
  EXPECT_TRUE(masked.sets[0].empty());
  EXPECT_EQ(masked.sets[1], (std::vector<std::int32_t>{4, 5, 7}));
  EXPECT_EQ(masked.sets[2], (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(masked.low[3], 7);
  EXPECT_EQ(masked.high[3], 7);
  EXPECT_EQ(masked.sets[4], (std::vector<std::int32_t>{2}));
  EXPECT_EQ(masked.sets[5], (std::vector<std::int32_t>{0}));
}

TEST(Recode, RoundsNumbersOnly) {
  OwnedTable owned = table_of({1.25, 1, 2.25, 1, kNull, 0}, {{}, Attribute{Kind::nominal, 1, 2}});
  owned.columns[0].rounding = {Rounding::To::integer, 0};
  owned.columns[1].rounding = {Rounding::To::decimal, -1};
  const Table table = owned.view();
  Masked masked = recode(table, {{0, 1, 2}, {0, 2, 3}}, Recode::centroid);
  EXPECT_EQ(masked.low[0], 1.75);
  round_cells(table, masked);
  EXPECT_EQ(masked.low[0], 2);
  EXPECT_EQ(masked.low[1], 1);
  EXPECT_TRUE(is_null(masked.low[2]));
  EXPECT_EQ(count_suppressed_cells(table, {{0, 1, 2}, {0, 2, 3}}, masked), 0);
}

}  // namespace
}  // namespace anonkit
