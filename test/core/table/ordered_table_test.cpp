#include "table/ordered_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "fixture/random_table.hpp"

namespace anonkit {
namespace {

TEST(OrderedTable, HasTheSameRecordsInTheOtherOrder) {
  RandomTables tables(1);
  std::mt19937 random(1);
  SilentTicker ticker;
  for (int round = 0; round < 200; ++round) {
    const OwnedTable owned = tables.make(tables.between(0, 50), tables.between(1, 4), true, 3);
    Table table = owned.view();
    std::vector<std::int32_t> leaves(static_cast<std::size_t>(table.rows));
    std::iota(leaves.begin(), leaves.end(), 100);
    table.columns.back().leaves = leaves.data();
    std::vector<Record> order(leaves.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    const OrderedTable ordered(table, order, tables.between(1, 3), ticker);
    ASSERT_EQ(ordered.view().rows, table.rows);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto place = static_cast<Record>(i);
      ASSERT_EQ(ordered.view().columns.back().leaves[i],
                leaves[static_cast<std::size_t>(order[i])]);
      for (std::size_t j = 0; j < table.columns.size(); ++j) {
        const double there = ordered.view().value(place, j), here = table.value(order[i], j);
        ASSERT_TRUE(there == here || (is_null(there) && is_null(here)));
      }
    }
  }
}

}  // namespace
}  // namespace anonkit
