#include "table/standardize.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "fixture/random_table.hpp"
#include "fixture/without_ticker.hpp"
#include "table/canonical_order.hpp"

namespace anonkit {
namespace {

SilentTicker silent;

Scale scale_of(const OwnedTable& owned, Standardize how, std::size_t j = 0) {
  const Table table = owned.view();
  return scales_of(table, canonical_order(table, 0, silent), how, silent).at(j);
}

TEST(Standardize, ZScoreTakesTheSampleDeviationOfTheValuesThatAreThere) {
  const Scale scale = scale_of(table_of({4, kNull, 2, 9}), Standardize::zscore);
  EXPECT_DOUBLE_EQ(scale.location, 5);
  EXPECT_DOUBLE_EQ(scale.scale, std::sqrt(13.0));  // (1 + 9 + 16) / 2
  EXPECT_DOUBLE_EQ(scale.apply(9), 4 / std::sqrt(13.0));
}

TEST(Standardize, RangeGoesFromZeroToOne) {
  const Scale scale = scale_of(table_of({4, -2, 10, kNull}), Standardize::range);
  EXPECT_EQ(scale.apply(-2), 0);
  EXPECT_EQ(scale.apply(4), 0.5);
  EXPECT_EQ(scale.apply(10), 1);
}

TEST(Standardize, NoneLeavesNumbersAsTheyAre) {
  const Scale scale = scale_of(table_of({4, -2, 1e6}), Standardize::none);
  EXPECT_EQ(scale.apply(-2), -2);
  EXPECT_EQ(scale.apply(1e6), 1e6);
}

TEST(Standardize, ConstantColumnsGoToZero) {
  for (const Standardize how : {Standardize::zscore, Standardize::range, Standardize::none}) {
    for (const std::size_t n : {1u, 2u, 10u, 1000u}) {
      const OwnedTable owned = table_of(std::vector<double>(n, 0.1));
      EXPECT_EQ(scale_of(owned, how).apply(0.1), 0) << n;
    }
    EXPECT_EQ(scale_of(table_of({kNull, 7, kNull}), how).apply(7), 0);
  }
}

TEST(Standardize, ScalesOfHugeAndTinyNumbersAreThoseOfTheirMultiples) {
  const std::vector<double> values = {1, 5, -3, 2.5, 7};
  const Scale plain = scale_of(table_of(values), Standardize::zscore);
  for (const int exponent : {-1000, -600, 600, 1019}) {
    std::vector<double> multiples = values;
    for (double& value : multiples) value = std::ldexp(value, exponent);
    const Scale scale = scale_of(table_of(multiples), Standardize::zscore);
    EXPECT_EQ(scale.location, std::ldexp(plain.location, exponent));
    EXPECT_EQ(scale.scale, std::ldexp(plain.scale, exponent));
  }
}

TEST(Standardize, RefusesColumnsWhoseExtentOverflows) {
  EXPECT_THROW(scale_of(table_of({-1.7e308, 1.7e308}), Standardize::zscore), Error);
  EXPECT_EQ(scale_of(table_of({0, 1.7e308}), Standardize::range).apply(1.7e308), 1);
}

TEST(Standardize, AColumnOfNullsHasNoExtent) {
  EXPECT_EQ(scale_of(table_of({kNull, kNull}), Standardize::zscore).scale, 0);
}

TEST(Standardize, CategoriesKeepTheirCodes) {
  const OwnedTable owned =
      table_of({0, 3, 2, 1}, {Attribute{Kind::nominal, 1, 3}, Attribute{Kind::ordinal, 2, 4}});
  for (const std::size_t j : {0u, 1u}) {
    const Scale scale = scale_of(owned, Standardize::zscore, j);
    EXPECT_EQ(scale.apply(3), 3);
  }
}

TEST(Standardize, ScalesDoNotDependOnTheOrderOfTheRows) {
  RandomTables random(3);
  for (int round = 0; round < 200; ++round) {
    const OwnedTable table = random.make(random.between(2, 60), 2, false, round % 4);
    const OwnedTable other = random.shuffled(table);
    for (const Standardize how : {Standardize::zscore, Standardize::range}) {
      const Scale a = scale_of(table, how), b = scale_of(other, how);
      ASSERT_EQ(a.location, b.location);
      ASSERT_EQ(a.scale, b.scale);
    }
  }
}

TEST(Standardize, APartHasTheScaleOfTheWhole) {
  OwnedTable part = table_of({4, -2, 10});
  part.columns[0].deviation = 20;
  part.columns[0].extent = 100;
  EXPECT_EQ(scale_of(part, Standardize::zscore).scale, 20);
  EXPECT_EQ(scale_of(part, Standardize::zscore).location, 4);
  EXPECT_EQ(scale_of(part, Standardize::range).scale, 100);
  EXPECT_EQ(scale_of(part, Standardize::none).scale, 1);
  // No part can be wider than the whole.
  part.columns[0].extent = 5;
  EXPECT_EQ(scale_of(part, Standardize::range).scale, 12);
  OwnedTable constant = table_of({7, 7, 7});
  constant.columns[0].deviation = 20;
  EXPECT_EQ(scale_of(constant, Standardize::zscore).scale, 0);
}

TEST(Standardize, SpaceHoldsTheRowsAndColumnsThatAreAskedFor) {
  const OwnedTable owned =
      table_of({1, 0, 10, 2, 1, 30, 3, 2, 20}, {{}, Attribute{Kind::nominal, 4, 3}, {}});
  const Table table = owned.view();
  const auto scales =
      scales_of(table, canonical_order(table, 0, silent), Standardize::range, silent);
  const Space space = space_of(table, {2, 0}, {2, 1}, scales, silent);
  ASSERT_EQ(space.size(), 2);
  ASSERT_EQ(space.dimension(), 2);
  EXPECT_EQ(space.row(0)[0], 0.5);
  EXPECT_EQ(space.row(0)[1], 2);
  EXPECT_EQ(space.row(1)[0], 0);
  EXPECT_EQ(space.row(1)[1], 0);
  EXPECT_EQ(space.squared_distance(space.row(0), space.row(1)), 4.25);
}

TEST(Standardize, RefusesNumbersWhoseSquaredDistancesOverflow) {
  EXPECT_NO_THROW(Space({0, 1e149}, {Attribute{}}));
  EXPECT_THROW(Space({0, 1e150}, {Attribute{}}), Error);
}

}  // namespace
}  // namespace anonkit
