#include "method/mondrian/grid.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>
#include <set>
#include <tuple>

#include "base/error.hpp"
#include "fixture/random_hierarchy.hpp"
#include "fixture/trials.hpp"
#include "reference/grid.hpp"

namespace anonkit {
namespace {

/// Whole numbers, row-major.
struct Numbers {
  std::size_t columns;
  std::vector<double> values;

  Table view() const {
    Table table;
    table.rows = static_cast<Record>(values.size() / columns);
    for (std::size_t j = 0; j < columns; ++j) {
      Column column;
      column.name = "c" + std::to_string(j);
      column.rounding = {Rounding::To::integer, 0};
      table.columns.push_back(column);
    }
    table.values = values.data();
    return table;
  }
};

std::vector<GridAxis> axes_of(const Table& table) {
  SilentTicker ticker;
  std::vector<Record> rows(static_cast<std::size_t>(table.rows));
  std::iota(rows.begin(), rows.end(), 0);
  std::vector<GridAxis> axes;
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    axes.push_back(grid_axis(table, rows, j, Recode::hierarchy, ticker));
  return axes;
}

TEST(Grid, FormsTheClassesOfThePlainReference) {
  std::mt19937_64 random(1);
  SilentTicker ticker;
  for (int round = 0; round < trials(600); ++round) {
    const std::size_t d = 1 + random() % 4;
    const auto n = static_cast<Record>(1 + random() % 80);
    Numbers numbers{d, {}};
    for (std::size_t cell = 0; cell < d * static_cast<std::size_t>(n); ++cell)
      numbers.values.push_back(static_cast<double>(random() % 40) - (round % 2 == 0 ? 0 : 20));
    Table table = numbers.view();
    // The last column has labels.
    RandomTables tables(static_cast<std::uint64_t>(round));
    const Hierarchy hierarchy(random_levels(tables, 12));
    std::vector<std::int32_t> leaves;
    for (Record i = 0; i < n; ++i) leaves.push_back(static_cast<std::int32_t>(random() % 12));
    table.columns.back().hierarchy = &hierarchy;
    table.columns.back().leaves = leaves.data();
    if (d > 1) table.columns[0].width = 1 + static_cast<double>(random() % 5);
    const auto axes = axes_of(table);
    const Record k = std::min<Record>(n, static_cast<Record>(1 + random() % 6));
    const SecretCoins coins(public_key(random()).data(), 0.2);
    const GridClasses found = cut_grid(axes, n, k, coins, ticker);
    const Partition expected = ReferenceGrid(axes, k, coins).run(n);
    ASSERT_EQ(found.partition.class_of, expected.class_of) << "round " << round;
    for (Record i = 0; i < n; ++i)
      for (std::size_t j = 0; j < d; ++j) {
        const auto c =
            static_cast<std::size_t>(found.partition.class_of[static_cast<std::size_t>(i)]);
        const GridBox& box = found.boxes[c * d + j];
        ASSERT_TRUE(box.begin <= axes[j].place(i) && axes[j].place(i) < box.end);
      }
  }
}

/// Coins that fall as written, and those after them on one side.
class WrittenCoins final : public GridCoins {
 public:
  bool skips(const Words&, std::size_t, int) const override {
    if (next_ == coins_.size()) coins_.push_back(false);
    return coins_[next_++];
  }
  Words path(const Words&, std::size_t, std::size_t) const override { return {}; }
  /// The next of all sequences; false after the last.
  bool advance() {
    next_ = 0;
    while (!coins_.empty() && coins_.back()) coins_.pop_back();
    if (coins_.empty()) return false;
    coins_.back() = true;
    return true;
  }

 private:
  mutable std::vector<bool> coins_;
  mutable std::size_t next_ = 0;
};

/// Boxes with their numbers of records: what readers see.
using Release = std::map<std::vector<std::int64_t>, int>;

Release release_of(const std::vector<GridAxis>& axes, const GridClasses& classes) {
  Release release;
  for (const ClassId c : classes.partition.class_of) {
    std::vector<std::int64_t> box;
    for (std::size_t j = 0; j < axes.size(); ++j) {
      const GridBox& side = classes.boxes[static_cast<std::size_t>(c) * axes.size() + j];
      box.insert(box.end(), {side.begin, side.end});
    }
    ++release[box];
  }
  return release;
}

std::set<Release> possible_releases(const Numbers& numbers, Record k) {
  SilentTicker ticker;
  const Table table = numbers.view();
  const auto axes = axes_of(table);
  std::set<Release> possible;
  WrittenCoins coins;
  do possible.insert(release_of(axes, cut_grid(axes, table.rows, k, coins, ticker)));
  while (coins.advance());
  return possible;
}

/// The records in each of these boxes, each record in one box at most.
Release counted(const Numbers& numbers, const Release& boxes) {
  Release counts;
  for (std::size_t i = 0; i < numbers.values.size(); i += numbers.columns)
    for (const auto& [box, count] : boxes) {
      bool inside = true;
      for (std::size_t j = 0; j < numbers.columns; ++j) {
        const double x = numbers.values[i + j];
        inside = inside && x >= static_cast<double>(box[2 * j]) &&
                 x < static_cast<double>(box[2 * j + 1]);
      }
      if (inside) ++counts[box];
    }
  return counts;
}

/// All tables of n records over width x height, without regard to their order. Two records stand at
/// opposite ends, so that all have one extent.
std::vector<Numbers> all_tables(int n, int width, int height) {
  std::vector<Numbers> tables;
  std::vector<int> cells(static_cast<std::size_t>(n), 0);
  for (;;) {
    Numbers table{2, {0, 0, width - 1.0, height - 1.0}};
    for (const int cell : cells) {
      table.values.push_back(cell % width);
      table.values.push_back(cell / width);
    }
    tables.push_back(table);
    std::size_t at = cells.size();
    while (at > 0 && cells[at - 1] == width * height - 1) --at;
    if (at == 0) return tables;
    const int next = cells[at - 1] + 1;
    for (std::size_t i = at - 1; i < cells.size(); ++i) cells[i] = next;
  }
}

/// The theorem: a table that has the published numbers of records in the published boxes is
/// possible.
void expect_every_table_to_stay_possible(const std::vector<Numbers>& tables, Record k) {
  std::set<Release> releases;
  std::vector<std::set<Release>> possible;
  for (const Numbers& table : tables) {
    possible.push_back(possible_releases(table, k));
    releases.insert(possible.back().begin(), possible.back().end());
  }
  for (const Release& release : releases)
    for (std::size_t i = 0; i < tables.size(); ++i)
      ASSERT_EQ(possible[i].count(release) > 0, counted(tables[i], release) == release);
}

TEST(Grid, LeavesEveryTableWithThePublishedCountsPossible) {
  expect_every_table_to_stay_possible(all_tables(3, 4, 2), 2);
  expect_every_table_to_stay_possible(all_tables(4, 4, 1), 2);
  expect_every_table_to_stay_possible(all_tables(3, 2, 4), 1);
  expect_every_table_to_stay_possible(all_tables(4, 2, 2), 3);
}

TEST(Grid, WithoutCoinsDeterminesMore) {
  // The counter-test: cuts that are always made tell that none was admissible in a large box.
  std::set<Release> releases;
  std::vector<Release> made;
  const std::vector<Numbers> tables = all_tables(3, 4, 2);
  SilentTicker ticker;
  for (const Numbers& table : tables) {
    const Table view = table.view();
    const auto axes = axes_of(view);
    made.push_back(release_of(
        axes, cut_grid(axes, view.rows, 2, SecretCoins(public_key(0).data(), 0), ticker)));
    releases.insert(made.back());
  }
  int excluded = 0;
  for (const Release& release : releases)
    for (std::size_t i = 0; i < tables.size(); ++i)
      excluded += made[i] != release && counted(tables[i], release) == release ? 1 : 0;
  EXPECT_GT(excluded, 0);
}

TEST(Grid, OtherDataHaveOtherCoins) {
  SilentTicker ticker;
  const auto secret = public_key(3);
  const auto key_of = [&](std::vector<double> values) {
    const Numbers numbers{2, std::move(values)};
    const Table table = numbers.view();
    return coins_key(secret.data(), axes_of(table), table.rows, ticker);
  };
  EXPECT_EQ(key_of({1, 2, 3, 4, 5, 6}), key_of({5, 6, 1, 2, 3, 4}));
  EXPECT_NE(key_of({1, 2, 3, 4, 5, 6}), key_of({1, 2, 3, 4, 5, 7}));
  EXPECT_NE(key_of({1, 2, 3, 4}), key_of({2, 1, 4, 3}));
  EXPECT_NE(key_of({1, 2, 1, 2}), key_of({1, 2, 1, 2, 1, 2}));
}

TEST(Grid, SkipsAShareOfTheCuts) {
  int skipped = 0;
  const SecretCoins coins(public_key(7).data(), 0.05);
  for (std::uint64_t box = 0; box < 20000; ++box)
    skipped += coins.skips({box, 3}, static_cast<std::size_t>(box % 7), 0) ? 1 : 0;
  EXPECT_NEAR(skipped, 1000, 5 * std::sqrt(950.0));
}

TEST(Grid, AlignsNumbersWithTheirWidths) {
  Numbers numbers{1, {-7, 0, 4, 5, 30}};
  Table table = numbers.view();
  table.columns[0].width = 5;
  const auto axes = axes_of(table);
  EXPECT_EQ(axes[0].root().begin, -8);
  EXPECT_EQ(axes[0].root().end, 8);
  EXPECT_EQ(axes[0].place(0), -2);
  EXPECT_EQ(axes[0].place(2), 0);
  EXPECT_EQ(axes[0].place(3), 1);
  Masked masked{{kNull}, {kNull}, {{}}, {}};
  axes[0].mask({-2, 0}, masked, 0);
  EXPECT_EQ(masked.low[0], -10);
  EXPECT_EQ(masked.high[0], -1);
}

TEST(Grid, WithoutNumbersThereIsASinglePlace) {
  Numbers numbers{1, {}};
  const Table table = numbers.view();
  const auto axes = axes_of(table);
  EXPECT_EQ(axes[0].root().begin, 0);
  EXPECT_EQ(axes[0].root().end, 1);
}

TEST(Grid, PlacesDecimalsByTheirDigits) {
  // 0.29 / 0.01 is below 29 in double precision.
  Numbers numbers{1, {0.29, 0.07, 1.13}};
  Table table = numbers.view();
  table.columns[0].rounding = {Rounding::To::decimal, 2};
  const auto axes = axes_of(table);
  EXPECT_EQ(axes[0].place(0), 29);
  EXPECT_EQ(axes[0].place(1), 7);
  EXPECT_EQ(axes[0].place(2), 113);
}

TEST(Grid, RefusesWidthsThatNoGridHas) {
  const auto width_of = [](Rounding rounding, double width, double value) {
    Numbers numbers{1, {value}};
    Table table = numbers.view();
    table.columns[0].rounding = rounding;
    table.columns[0].width = width;
    return axes_of(table).size();
  };
  const Rounding any{Rounding::To::none, 0}, whole{Rounding::To::integer, 0};
  EXPECT_THROW(width_of(any, 0, 1), Error);
  EXPECT_THROW(width_of(whole, 0.25, 1), Error);
  EXPECT_THROW(width_of(whole, 1.4, 1), Error);
  EXPECT_THROW(width_of(any, 1e-9, 1e300), Error);
  EXPECT_THROW(width_of(whole, 0, 1e17), Error);
  EXPECT_EQ(width_of(any, 0.125, 1), 1U);
}

}  // namespace
}  // namespace anonkit
