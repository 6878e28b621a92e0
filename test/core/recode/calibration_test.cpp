// Calibrated cells against their definition: joint counts, prices and rows that are alone.

#include "recode/calibration.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fixture/random_table.hpp"
#include "fixture/trials.hpp"
#include "fixture/without_ticker.hpp"
#include "method/method.hpp"
#include "pipeline.hpp"
#include "recode/joint_counts.hpp"

namespace anonkit {
namespace {

using Row = std::vector<double>;

Row row_of(const Table& table, Record i) {
  return {table.values + at(i) * table.columns.size(),
          table.values + (at(i) + 1) * table.columns.size()};
}

Row cells_of(const Masked& masked, std::size_t c, std::size_t d) {
  const auto first = masked.low.begin() + static_cast<std::ptrdiff_t>(c * d);
  return {first, first + static_cast<std::ptrdiff_t>(d)};
}

/// Codes from 0 and whole numbers, a few of each, so that every value is a bin of its own.
OwnedTable coarse_table(RandomTables& random, int rows, std::size_t d, bool ordinal) {
  std::vector<Attribute> attributes(d);
  for (Attribute& attribute : attributes) {
    const int kind = random.between(0, ordinal ? 2 : 1);
    if (kind == 1) attribute = {Kind::nominal, random.between(1, 3) * 0.5, 4};
    if (kind == 2) attribute = {Kind::ordinal, 1, 4};
  }
  Row values;
  for (int i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < d; ++j) values.push_back(random.between(0, 3));
  return table_of(std::move(values), std::move(attributes));
}

/// Classes of different rows.
Members distinct_classes(RandomTables& random, const Table& table) {
  Members members = random_classes(random, table.rows);
  Partition partition;
  partition.classes = static_cast<ClassId>(members.classes());
  for (ClassId c = 0; c < partition.classes; ++c)
    partition.class_of.insert(partition.class_of.end(), at(members.of(at(c)).size()), c);
  Masked masked = recode(table, members, Recode::centroid);
  SilentTicker ticker;
  join_equal_rows(masked, partition, ticker);
  return members_of(partition);
}

/// The records that no other one equals.
std::set<Row> rows_alone(const Table& table) {
  std::map<Row, int> count;
  for (Record i = 0; i < table.rows; ++i) ++count[row_of(table, i)];
  std::set<Row> alone;
  for (const auto& [row, records] : count)
    if (records == 1) alone.insert(row);
  return alone;
}

/// A place of a pair of columns: numbers that no record has share one.
using Place = std::pair<double, double>;

/// The sum over pairs and places of |records there in the release - in the table|.
double amount_by_definition(const Table& table, const Members& members, const Masked& masked) {
  const std::size_t d = table.columns.size();
  double sum = 0;
  for (std::size_t a = 0; a < d; ++a)
    for (std::size_t b = a + 1; b < d; ++b) {
      std::map<Place, double> count;
      std::set<double> known_a, known_b;
      for (Record i = 0; i < table.rows; ++i) {
        known_a.insert(table.value(i, a));
        known_b.insert(table.value(i, b));
        --count[{table.value(i, a), table.value(i, b)}];
      }
      for (std::size_t c = 0; c < members.classes(); ++c) {
        const double x = masked.low[c * d + a], y = masked.low[c * d + b];
        count[{known_a.count(x) > 0 ? x : -1, known_b.count(y) > 0 ? y : -1}] +=
            members.of(c).size();
      }
      for (const auto& place : count) sum += std::fabs(place.second);
    }
  return sum;
}

double variance(const Table& table, std::size_t j) {
  double sum = 0;
  for (Record a = 0; a < table.rows; ++a)
    for (Record b = 0; b < table.rows; ++b) {
      const double difference = table.value(a, j) - table.value(b, j);
      sum += table.columns[j].attribute.kind == Kind::nominal ? (difference != 0 ? 1 : 0)
                                                              : difference * difference / 2;
    }
  return sum / table.rows / table.rows;
}

double unit(const Attribute& attribute) {
  const double categories = attribute.categories;
  return attribute.kind == Kind::ordinal ? attribute.weight / categories / categories
                                         : attribute.weight;
}

/// The sum that calibration lowers: the amount, and the price of the loss.
double objective(const Table& table, const Members& members, const Masked& masked) {
  const std::size_t d = table.columns.size();
  double mean = 0;
  for (std::size_t j = 0; j < d; ++j) mean += unit(table.columns[j].attribute) * variance(table, j);
  const std::vector<Scale> scales(d);
  const CentroidLoss loss = centroid_loss(table, members, masked, members.records, scales);
  const double price = 20 * static_cast<double>(d - 1);
  return amount_by_definition(table, members, masked) + (mean > 0 ? price * loss.sse / mean : 0);
}

Masked calibrated(const Table& table, const Members& members) {
  Masked masked = recode(table, members, Recode::centroid);
  SilentTicker ticker;
  calibrate(table, members, std::vector<Scale>(table.columns.size()), masked, ticker);
  return masked;
}

TEST(JointCounts, AreThoseOfTheDefinition) {
  RandomTables random(1);
  SilentTicker ticker;
  for (int round = 0; round < trials(300); ++round) {
    const std::size_t d = static_cast<std::size_t>(random.between(1, 4));
    const OwnedTable owned = coarse_table(random, random.between(1, 30), d, true);
    const Table table = owned.view();
    const Members members = random_classes(random, table.rows);
    Masked masked = recode(table, members, Recode::centroid);
    std::vector<CellBins> bins;
    std::vector<std::int32_t> numbers;
    for (std::size_t j = 0; j < d; ++j) {
      bins.emplace_back(table, members.records, j, ticker);
      numbers.push_back(bins.back().count());
    }
    JointCounts counts(numbers);
    const auto places = [&](const Row& row) {
      std::vector<std::int32_t> of;
      for (std::size_t j = 0; j < d; ++j) of.push_back(bins[j].of(row[j]));
      return of;
    };
    for (Record i = 0; i < table.rows; ++i) counts.add(places(row_of(table, i)).data(), -1);
    for (std::size_t c = 0; c < members.classes(); ++c)
      counts.add(places(cells_of(masked, c, d)).data(), members.of(c).size());
    const auto before = static_cast<double>(counts.amount());
    ASSERT_EQ(before, amount_by_definition(table, members, masked));
    const auto c =
        static_cast<std::size_t>(random.between(0, static_cast<int>(members.classes()) - 1));
    const auto j = static_cast<std::size_t>(random.between(0, static_cast<int>(d) - 1));
    std::vector<std::int32_t> row = places(cells_of(masked, c, d));
    masked.low[c * d + j] = table.value(random.between(0, table.rows - 1), j);
    const std::int32_t to = bins[j].of(masked.low[c * d + j]);
    const auto cost =
        static_cast<double>(counts.cost_of_change(row.data(), j, to, members.of(c).size()));
    counts.change(row.data(), j, to, members.of(c).size());
    ASSERT_EQ(static_cast<double>(counts.amount()), before + cost);
    ASSERT_EQ(before + cost, amount_by_definition(table, members, masked));
    ASSERT_EQ(row, places(cells_of(masked, c, d)));
  }
}

TEST(JointCounts, RareCategoriesShareABinAndNumbersHaveThoseOfTheirQuantiles) {
  Row values;
  for (int i = 0; i < 400; ++i) {
    values.push_back(i < 150 ? i : i % 90);
    values.push_back(i);
  }
  values.push_back(3);
  values.push_back(kNull);
  const OwnedTable owned = table_of(values, {{Kind::nominal, 1, 151}, {}});
  const Table table = owned.view();
  std::vector<Record> all(at(table.rows));
  for (Record i = 0; i < table.rows; ++i) all[at(i)] = i;
  SilentTicker ticker;
  const CellBins codes(table, all, 0, ticker), numbers(table, all, 1, ticker);
  EXPECT_EQ(codes.count(), 101);
  EXPECT_EQ(codes.of(3), 0) << "the most frequent";
  EXPECT_NE(codes.of(97), codes.of(98));
  EXPECT_EQ(codes.of(99), codes.of(149)) << "the rarest";
  EXPECT_EQ(codes.of(kNull), 100);
  EXPECT_EQ(numbers.count(), 23);
  EXPECT_EQ(numbers.of(0), numbers.of(10.5)) << "the first twentieth";
  EXPECT_NE(numbers.of(0), numbers.of(30));
  EXPECT_EQ(numbers.of(-1), 0);
  EXPECT_EQ(numbers.of(1000), 21);
  EXPECT_EQ(numbers.of(kNull), 22);
}

TEST(JointCounts, OfManyColumnsHaveTheNearestPartners) {
  EXPECT_EQ(JointCounts(std::vector<std::int32_t>(1, 3)).partners(0), 0U);
  EXPECT_EQ(JointCounts(std::vector<std::int32_t>(41, 3)).partners(7), 40U);
  const JointCounts many(std::vector<std::int32_t>(60, 3));
  for (std::size_t j = 0; j < 60; ++j) EXPECT_EQ(many.partners(j), 40U);
}

// Centroids lose least, so every record that goes to another place lowers the amount.
TEST(Calibration, LowersTheAmountByValuesOfTheClassAndMakesNoRowsEqual) {
  RandomTables random(2);
  double before = 0, after = 0;
  int alone_before = 0, alone_after = 0;
  for (int round = 0; round < trials(800); ++round) {
    const std::size_t d = static_cast<std::size_t>(random.between(2, 4));
    const OwnedTable owned = coarse_table(random, random.between(4, 60), d, false);
    const Table table = owned.view();
    const Members members = distinct_classes(random, table);
    const Masked centroids = recode(table, members, Recode::centroid);
    const Masked masked = calibrated(table, members);
    const std::set<Row> alone = rows_alone(table);
    std::set<Row> rows;
    bool left = false;
    for (std::size_t c = 0; c < members.classes(); ++c) {
      const Row row = cells_of(masked, c, d), centroid = cells_of(centroids, c, d);
      EXPECT_TRUE(rows.insert(row).second) << "round " << round << ": rows are equal";
      EXPECT_TRUE(row == centroid || alone.count(row) == 0);
      left = left || alone.count(centroid) > 0;
      alone_before += alone.count(centroid) > 0 ? 1 : 0;
      alone_after += alone.count(row) > 0 ? 1 : 0;
      for (std::size_t j = 0; j < d; ++j) {
        const RecordSpan of = members.of(c);
        EXPECT_TRUE(row[j] == centroid[j] || std::any_of(of.begin(), of.end(), [&](Record i) {
                      return table.value(i, j) == row[j];
                    }));
      }
    }
    if (left) continue;
    before += amount_by_definition(table, members, centroids);
    after += amount_by_definition(table, members, masked);
    ASSERT_LE(amount_by_definition(table, members, masked),
              amount_by_definition(table, members, centroids));
  }
  EXPECT_LT(after, 0.95 * before);
  EXPECT_LT(alone_after, 0.8 * alone_before);
}

// No value of its class that may stand in a cell would lower the objective further.
TEST(Calibration, EndsWhereNoCellWouldGain) {
  RandomTables random(3);
  int tried = 0;
  for (int round = 0; round < trials(100); ++round) {
    const std::size_t d = static_cast<std::size_t>(random.between(2, 3));
    const OwnedTable owned = coarse_table(random, random.between(4, 30), d, true);
    const Table table = owned.view();
    const Members members = distinct_classes(random, table);
    Masked masked = calibrated(table, members);
    const std::set<Row> alone = rows_alone(table);
    std::set<Row> rows;
    for (std::size_t c = 0; c < members.classes(); ++c) rows.insert(cells_of(masked, c, d));
    const double found = objective(table, members, masked);
    for (std::size_t cell = 0; cell < masked.low.size(); ++cell)
      for (const Record i : members.of(cell / d)) {
        const double present = masked.low[cell];
        masked.low[cell] = table.value(i, cell % d);
        const Row row = cells_of(masked, cell / d, d);
        if (rows.count(row) == 0 && alone.count(row) == 0) {
          ++tried;
          EXPECT_GE(objective(table, members, masked), found - 1e-5 * (1 + std::fabs(found)));
        }
        masked.low[cell] = present;
      }
  }
  EXPECT_GT(tried, trials(500));
}

TEST(Calibration, LeavesNullsAndConstantsAsTheyAre) {
  // Two classes of two: a constant, a number that is null in one class, and a category.
  const OwnedTable owned =
      table_of({7, 1, 0, 7, kNull, 1, 7, 3, 1, 7, 5, 1}, {{}, {}, {Kind::nominal, 1, 2}});
  const Table table = owned.view();
  Members members;
  members.records = {0, 1, 2, 3};
  members.first_of = {0, 2, 4};
  const Masked masked = calibrated(table, members);
  EXPECT_EQ(masked.low[0], 7);
  EXPECT_TRUE(is_null(masked.low[1]));
  EXPECT_EQ(masked.low[3], 7);
}

TEST(Calibration, DoesNotDependOnTheOrderOfRowsOrColumns) {
  RandomTables random(4);
  int changed = 0;
  for (int round = 0; round < trials(60); ++round) {
    const int rows = random.between(20, 60);
    const OwnedTable owned = coarse_table(random, rows, 3, true);
    const Table table = owned.view();
    OwnedTable turned;
    for (const std::size_t j : {2, 0, 1}) turned.columns.push_back(owned.columns[j]);
    for (Record i = rows - 1; i >= 0; --i)
      for (const std::size_t j : {2, 0, 1}) turned.values.push_back(table.value(i, j));
    Options options;
    options.k = 3;
    options.recode = Recode::calibrated;
    SilentTicker ticker;
    const auto published = [&](const Table& of) {
      return anonymize(of, *find_method("mdav"), options, ticker);
    };
    const Anonymized one = published(table), other = published(turned.view());
    options.recode = Recode::centroid;
    const Anonymized plain = published(table);
    changed += plain.masked.low != one.masked.low ? 1 : 0;
    for (Record i = 0; i < rows; ++i) {
      const Row cells = cells_of(one.masked, at(one.cells(at(i))), 3);
      const Row again = cells_of(other.masked, at(other.cells(at(rows - 1 - i))), 3);
      EXPECT_EQ(cells, (Row{again[1], again[2], again[0]})) << "round " << round;
    }
  }
  EXPECT_GT(changed, trials(30));
}

}  // namespace
}  // namespace anonkit
