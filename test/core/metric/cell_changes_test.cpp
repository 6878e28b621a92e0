#include "metric/cell_changes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fixture/random_table.hpp"
#include "pipeline.hpp"

namespace anonkit {
namespace {

Anonymized made_of(const Table& table, Record k, Recode recode) {
  Options options;
  options.k = k;
  options.recode = recode;
  options.nulls = Nulls::stratify;
  SilentTicker ticker;
  return anonymize(table, *find_method("mdav"), options, ticker);
}

std::vector<CellChanges> changes_of(const Table& table, const Anonymized& made) {
  SilentTicker ticker;
  return cell_changes(table, made.order, made.cells(), made.masked, ticker);
}

/// The share of changed published cells, cell by cell.
double plain_changed(const Table& table, const Anonymized& made, std::size_t j) {
  double changed = 0;
  for (Record row = 0; row < table.rows; ++row) {
    const std::size_t place =
        static_cast<std::size_t>(made.cells(static_cast<std::size_t>(row))) * table.columns.size() +
        j;
    const double x = table.value(row, j);
    const double low = made.masked.low[place];
    bool same = is_null(x) ? is_null(low) : x == low;
    if (!made.masked.high.empty() && !is_null(x) && !is_null(low)) {
      const bool numeric = table.columns[j].attribute.kind == Kind::numeric;
      same = numeric ? same && made.masked.high[place] == x
                     : made.masked.sets[place] ==
                           std::vector<std::int32_t>({static_cast<std::int32_t>(x)});
    }
    changed += same ? 0 : 1;
  }
  return changed / static_cast<double>(table.rows);
}

TEST(CellChanges, AreThoseOfAPlainComparison) {
  RandomTables random(1);
  for (int round = 0; round < 500; ++round) {
    const OwnedTable owned =
        random.make(random.between(1, 40), random.between(1, 3), true, round % 3 == 0 ? 6 : 0);
    const Table table = owned.view();
    const Anonymized made = made_of(table, random.between(1, std::min(table.rows, 6)),
                                    round % 2 == 0 ? Recode::centroid : Recode::range);
    const std::vector<CellChanges> changes = changes_of(table, made);
    for (std::size_t j = 0; j < table.columns.size(); ++j)
      ASSERT_DOUBLE_EQ(changes[j].changed, plain_changed(table, made, j)) << "round " << round;
  }
}

TEST(CellChanges, MeansOfClassesKeepTheMean) {
  RandomTables random(2);
  for (int round = 0; round < 100; ++round) {
    const OwnedTable owned = random.make(random.between(5, 40), 2, false, 0);
    const Anonymized made = made_of(owned.view(), 3, Recode::centroid);
    for (const CellChanges& column : changes_of(owned.view(), made))
      ASSERT_NEAR(column.mean_shift, 0, 1e-9);
  }
}

TEST(CellChanges, ShiftIsInStandardDeviations) {
  OwnedTable owned = table_of({0, 10, 20, 30, 40});
  owned.columns[0].rounding = {Rounding::To::decimal, -2};
  const Anonymized made = made_of(owned.view(), 5, Recode::centroid);
  const CellChanges column = changes_of(owned.view(), made).front();
  EXPECT_EQ(column.changed, 0.8) << "the mean 20 is published as 0, which one record has";
  EXPECT_DOUBLE_EQ(column.mean_shift, -20 / std::sqrt(250.0));
}

TEST(CellChanges, AnUnmaskedTableHasNone) {
  RandomTables random(3);
  const OwnedTable owned = random.make(20, 3, true, 5);
  for (const Recode recode : {Recode::centroid, Recode::range})
    for (const CellChanges& column : changes_of(owned.view(), made_of(owned.view(), 1, recode)))
      if (recode == Recode::centroid) {
        EXPECT_EQ(column.changed, 0);
      }
}

TEST(CellChanges, LossesOfColumnsAddUpToTheLoss) {
  RandomTables random(4);
  for (int round = 0; round < 200; ++round) {
    const OwnedTable owned =
        random.make(random.between(2, 40), random.between(1, 4), true, round % 2 == 0 ? 6 : 0);
    const Anonymized made = made_of(owned.view(), 2, Recode::centroid);
    SilentTicker ticker;
    double sse = 0;
    double sst = 0;
    for (const CentroidLoss& loss :
         column_losses(owned.view(), made.members, made.masked, made.order, made.scales, ticker)) {
      sse += loss.sse;
      sst += loss.sst;
    }
    ASSERT_NEAR(sse, made.loss.sse, 1e-9 * (1 + made.loss.sst));
    ASSERT_NEAR(sst, made.loss.sst, 1e-9 * (1 + made.loss.sst));
  }
}

// At level 0 a label is a leaf, which equals the values below it; above, it stands for several.
TEST(CellChanges, ALabelEqualsItsOwnLeafAlone) {
  OwnedTable owned = table_of({10, 20, 30, 40});
  const std::vector<std::int32_t> leaves = {0, 1, 2, 2};
  owned.columns[0].leaves = leaves.data();
  const Table table = owned.view();
  Masked masked;
  masked.low = {0, 1, 0};
  masked.levels = {0, 0, 1};
  SilentTicker ticker;
  const std::vector<Record> order = {0, 1, 2, 3};
  const auto changed = [&](const std::vector<std::int32_t>& cells_of) {
    return cell_changes(table, order, cells_of, masked, ticker).front();
  };
  EXPECT_EQ(changed({0, 1, 2, 2}).changed, 0.5) << "two records have a group's label";
  EXPECT_EQ(changed({1, 1, 2, 2}).changed, 0.75) << "and one the label of another leaf";
  EXPECT_EQ(changed({2, 1, 2, 2}).changed, 0.75)
      << "and one that of a group with its leaf's number";
  EXPECT_EQ(changed({0, 1, kNone, kNone}).changed, 0);
  EXPECT_TRUE(is_null(changed({0, 1, 2, 2}).mean_shift)) << "labels have no mean";
}

}  // namespace
}  // namespace anonkit
