#include "occurring.hpp"

#include <gtest/gtest.h>

#include "fixture/random_table.hpp"

namespace anonkit {
namespace {

TEST(Occurring, NumbersAndNullsAreThoseOfTheRows) {
  const OwnedTable owned = table_of({1, 2, 3, 4, 5});
  Table table = owned.view();
  const std::vector<std::int32_t> ranks = {2, 0, 3, 1, 2};
  const std::vector<double> numbers = {10, 20, 30};
  SensitiveColumn column;
  column.ranks = ranks.data();
  column.numbers = numbers.data();
  column.distinct = 4;
  column.nulls = 1;
  table.sensitive = {column};
  const Occurring some(table, {1, 2, 4});
  const SensitiveColumn& found = some.table().sensitive[0];
  EXPECT_EQ(found.distinct, 3);
  EXPECT_EQ(found.nulls, 1);
  EXPECT_EQ(std::vector<double>(found.numbers, found.numbers + 2), (std::vector<double>{10, 30}));
  EXPECT_EQ(found.ranks[1], 0);
  EXPECT_EQ(found.ranks[2], 2);
  EXPECT_EQ(found.ranks[4], 1);
  EXPECT_EQ(some.counts(), (TableCounts{{1, 1, 1}}));
  EXPECT_EQ(Occurring(table, {0, 3}).table().sensitive[0].nulls, 0);
}

}  // namespace
}  // namespace anonkit
