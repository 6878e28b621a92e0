// A search of classes of equal records, whose loss is of rounding alone, has nothing to gain.

#include <gtest/gtest.h>

#include <vector>

#include "fixture/random_table.hpp"
#include "fixture/search_fixture.hpp"
#include "fixture/without_ticker.hpp"
#include "search/refine.hpp"

namespace anonkit {
namespace {

constexpr Record kPlaces = 21, kEach = 30;

/// Equal records at each of the places, all of them integers, standardized.
Space equal_records() {
  std::vector<double> values;
  for (Record i = 0; i < kPlaces * kEach; ++i) {
    values.push_back(1000 + 10 * (i % 7));
    values.push_back(i % 3);
  }
  OwnedTable owned = table_of(std::move(values), std::vector<Attribute>(2));
  for (Column& column : owned.columns) column.rounding.to = Rounding::To::integer;
  const Table table = owned.view();
  const std::vector<Record> order = in_order(table.rows);
  return space_of(table, order, {0, 1}, scales_of(table, order, Standardize::zscore));
}

RefineResult refined(const Space& space, ClassId classes, Effort effort) {
  RefineOptions options;
  options.effort = effort;
  options.scale = 0.02;
  SilentTicker ticker;
  return refine(space, round_robin(in_order(space.size()), classes), 5, {}, options, ticker);
}

TEST(NothingLost, ClassesOfEqualRecordsAreNotSearched) {
  const Space space = equal_records();
  for (const Effort effort : {Effort::fast, Effort::thorough}) {
    const RefineResult result = refined(space, kPlaces, effort);
    EXPECT_LT(result.loss_after, 1e-20);
    EXPECT_EQ(result.tried, 0);
  }
}

// Three places share each class of the start.
TEST(NothingLost, ASearchEndsWithClassesOfEqualRecords) {
  const Space space = equal_records();
  const RefineResult result = refined(space, kPlaces / 3, Effort::thorough);
  EXPECT_GT(result.loss_before, 1);
  EXPECT_LT(result.loss_after, 1e-20);
}

}  // namespace
}  // namespace anonkit
