#include "table/nulls/strata.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/error.hpp"
#include "fixture/random_table.hpp"
#include "fixture/without_ticker.hpp"
#include "table/canonical_order.hpp"

namespace anonkit {
namespace {

SilentTicker silent;

std::vector<Stratum> strata(const OwnedTable& owned, Record k, Nulls nulls = Nulls::stratify) {
  const Table table = owned.view();
  const std::vector<Record> order = canonical_order(table, 0, silent);
  Options options;
  options.k = k;
  options.nulls = nulls;
  SilentTicker ticker;
  return strata_of(table, order, scales_of(table, order, Standardize::zscore, silent), options,
                   ticker);
}

TEST(Strata, AreOneWhereNothingIsNull) {
  const auto found = strata(table_of({3, 1, 1, 2, 2, 5}, {{}, {}}), 2, Nulls::error);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].rows, (std::vector<Record>{1, 2, 0}));
  EXPECT_EQ(found[0].columns, (std::vector<std::size_t>{0, 1}));
}

TEST(Strata, NullsAreAnErrorThatNamesTheColumnAndNoValue) {
  OwnedTable owned =
      table_of({77, kNull, 1, 77, kNull, 1, 77, 77, 1}, {{}, {}, Attribute{Kind::nominal, 1, 2}});
  owned.columns[1].name = "weight";
  try {
    strata(owned, 2, Nulls::error);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::invalid_data);
    EXPECT_STREQ(error.what(), "quasi-identifier \"weight\" contains nulls");
    EXPECT_EQ(error.detail, "Number of nulls: \"weight\" 2.");
    EXPECT_NE(error.hint.find("stratify"), std::string::npos);
  }
  owned.values[0] = kNull;
  try {
    strata(owned, 2, Nulls::error);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "quasi-identifiers contain nulls");
    EXPECT_EQ(error.detail, "Number of nulls: \"c0\" 1, \"weight\" 2.");
  }
}

TEST(Strata, RecordsWithLeastToLoseAreBlanked) {
  // x = 0 .. 10 with mean 5 and one null: complete records in the middle are suppressed.
  std::vector<double> values;
  for (int i = 0; i <= 10; ++i)
    values.insert(values.end(), {static_cast<double>(i), 1.0 * (i % 3)});
  values.insert(values.end(), {kNull, 1});
  const auto found = strata(table_of(values, {{}, {}}), 3);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1].columns, (std::vector<std::size_t>{1}));
  EXPECT_EQ(found[1].rows, (std::vector<Record>{4, 5, 11})) << "4 comes before 6";
}

TEST(Strata, RecordsWithoutNumbersAreStillDividedByTheirCategories) {
  const auto found =
      strata(table_of({kNull, 0, kNull, 1, kNull, 1}, {{}, Attribute{Kind::nominal, 1, 2}}), 1);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].columns, (std::vector<std::size_t>{1}));
  EXPECT_TRUE(strata(table_of({kNull, kNull}), 2).at(0).columns.empty());
}

TEST(Strata, HoldEveryRowOnceInKOrMoreAndNoNullInTheirColumns) {
  RandomTables random(4);
  for (int round = 0; round < 1000; ++round) {
    const OwnedTable owned = random.make(random.between(1, 60), random.between(1, 5), true, 5);
    const Table table = owned.view();
    const Record k = random.between(1, std::min(table.rows, 8));
    const std::vector<Record> order = canonical_order(table, 0, silent);
    std::vector<Record> place(order.size());
    for (std::size_t at = 0; at < order.size(); ++at)
      place[static_cast<std::size_t>(order[at])] = static_cast<Record>(at);
    std::set<Record> seen;
    for (const Stratum& stratum : strata(owned, k)) {
      ASSERT_GE(static_cast<Record>(stratum.rows.size()), k);
      for (std::size_t at = 0; at < stratum.rows.size(); ++at) {
        const Record row = stratum.rows[at];
        ASSERT_TRUE(seen.insert(row).second);
        for (const std::size_t j : stratum.columns) ASSERT_FALSE(is_null(table.value(row, j)));
        if (at == 0) continue;
        ASSERT_LT(place[static_cast<std::size_t>(stratum.rows[at - 1])],
                  place[static_cast<std::size_t>(row)]);
      }
    }
    ASSERT_EQ(static_cast<Record>(seen.size()), table.rows);
  }
}

}  // namespace
}  // namespace anonkit
