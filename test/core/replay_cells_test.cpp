#include "replay_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "fixture/random_table.hpp"
#include "fixture/trials.hpp"
#include "method/method.hpp"
#include "released_rows.hpp"

namespace anonkit {
namespace {

/// Whole numbers of two columns.
struct WholeNumbers {
  std::vector<double> values;
  double width = 0;  ///< of the grid that ranges end on; 0: at values

  Table view() const {
    Table table;
    table.rows = static_cast<Record>(values.size() / 2);
    for (const char* name : {"a", "b"}) {
      Column column;
      column.name = name;
      column.rounding = {Rounding::To::integer, 0};
      column.width = width;
      table.columns.push_back(column);
    }
    table.values = values.data();
    return table;
  }
};

struct Attacked {
  const char* method;
  const char* algorithm;
  Recode recode;
};

Options attacked_options(const Attacked& attacked) {
  Options options;
  options.k = 3;
  options.recode = attacked.recode;
  options.algorithm = attacked.algorithm;
  return options;
}

using Ranges = std::vector<std::vector<double>>;

Ranges ranges_of(const Anonymized& released, Record rows) {
  Ranges ranges;
  for (Record i = 0; i < rows; ++i) {
    const auto c = static_cast<std::size_t>(released.cells(static_cast<std::size_t>(i)));
    const double* low = released.masked.low.data() + 2 * c;
    const double* high = released.masked.high.data() + 2 * c;
    ranges.push_back({low[0], high[0], low[1], high[1]});
  }
  std::sort(ranges.begin(), ranges.end());
  return ranges;
}

/// Every number of the box of a cell, in its place: how many leave the class its range, and the
/// whole release its ranges.
std::pair<int, int> by_brute_force(const WholeNumbers& numbers, const Attacked& attacked,
                                   const ReplayedCells& target) {
  SilentTicker ticker;
  const Method& method = *find_method(attacked.method);
  const Options options = attacked_options(attacked);
  const Table table = numbers.view();
  const Anonymized truth = anonymize(table, method, options, ticker);
  const Ranges released = ranges_of(truth, table.rows);
  const std::size_t j = target.column;
  const auto c = static_cast<std::size_t>(truth.cells(static_cast<std::size_t>(target.first)));
  const double low = truth.masked.low[2 * c + j], high = truth.masked.high[2 * c + j];
  int form = 0, code = 0;
  for (double value = low; value <= high; ++value) {
    WholeNumbers guess = numbers;
    guess.values[static_cast<std::size_t>(target.first) * 2 + j] = value;
    double least = value, most = value;
    for (Record i = 0; i < table.rows; ++i) {
      if (static_cast<std::size_t>(truth.cells(static_cast<std::size_t>(i))) != c) continue;
      least = std::min(least, guess.values[static_cast<std::size_t>(i) * 2 + j]);
      most = std::max(most, guess.values[static_cast<std::size_t>(i) * 2 + j]);
    }
    if (numbers.width > 0) {
      least = std::floor(least / numbers.width) * numbers.width;
      most = (std::floor(most / numbers.width) + 1) * numbers.width - 1;
    }
    const Table other = guess.view();
    form += least == low && most == high ? 1 : 0;
    code += ranges_of(anonymize(other, method, options, ticker), other.rows) == released ? 1 : 0;
  }
  return {form, code};
}

TEST(ReplayOfCells, EqualsBruteForce) {
  std::mt19937_64 random(1);
  SilentTicker ticker;
  for (const Attacked& attacked : {Attacked{"mdav", nullptr, Recode::range},
                                   Attacked{"microaggregate", nullptr, Recode::range},
                                   Attacked{"mondrian", "strict", Recode::range}})
    for (int round = 0; round < trials(12); ++round) {
      WholeNumbers numbers;
      numbers.width = round % 3 == 2 ? 3 : 0;
      for (int i = 0; i < 24; ++i) numbers.values.push_back(static_cast<double>(random() % 9));
      CellReplayOptions how{8, 0, 0, 60, static_cast<std::uint64_t>(round)};
      for (const ReplayedCells& target : replay_cells(numbers.view(), *find_method(attacked.method),
                                                      attacked_options(attacked), how, ticker)) {
        const auto [form, code] = by_brute_force(numbers, attacked, target);
        EXPECT_EQ(target.form, form) << attacked.method;
        EXPECT_EQ(target.code, code) << attacked.method;
      }
    }
}

TEST(ReplayOfCells, KnowledgeOnlyShrinksTheValuesLeft) {
  std::mt19937_64 random(2);
  SilentTicker ticker;
  WholeNumbers numbers;
  for (int i = 0; i < 120; ++i) numbers.values.push_back(static_cast<double>(random() % 40));
  for (const Recode recode : {Recode::range, Recode::centroid, Recode::median}) {
    const auto targets =
        replay_cells(numbers.view(), *find_method("mdav"),
                     attacked_options({"mdav", nullptr, recode}), {10, 4, 2, 20, 3}, ticker);
    ASSERT_EQ(targets.size(), 16U);
    for (const ReplayedCells& target : targets) {
      EXPECT_GE(target.code, 1);
      EXPECT_LE(target.code, target.form);
      EXPECT_LE(target.form, target.box);
    }
  }
}

TEST(ReplayOfCells, CoinsThatAreKnownHideNothing) {
  // Other data have other coins: who knows the key recognises the data.
  std::mt19937_64 random(3);
  SilentTicker ticker;
  WholeNumbers numbers;
  for (int i = 0; i < 400; ++i) numbers.values.push_back(static_cast<double>(random() % 60));
  const Options options = attacked_options({"mondrian", "grid", Recode::range});
  int form = 0, code = 0;
  for (const ReplayedCells& target :
       replay_cells(numbers.view(), *find_method("mondrian"), options, {30, 0, 0, 20, 4}, ticker)) {
    form += target.form;
    code += target.code;
  }
  EXPECT_LT(code, form / 2);
}

/// The numbers of one column and the categories of another.
OwnedTable categories_beside(const std::vector<double>& numbers, const std::vector<double>& codes) {
  std::vector<double> values;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    values.insert(values.end(), {codes[i], numbers[i]});
  const int categories = 1 + static_cast<int>(*std::max_element(codes.begin(), codes.end()));
  return table_of(std::move(values), {Attribute{Kind::nominal, 1, categories}, {}});
}

/// The published set of each row.
std::vector<std::vector<std::int32_t>> sets_of(const Table& table) {
  SilentTicker ticker;
  const Anonymized made = anonymize(table, *find_method("mdav"),
                                    attacked_options({"mdav", nullptr, Recode::range}), ticker);
  std::vector<std::vector<std::int32_t>> sets;
  for (std::size_t i = 0; i < static_cast<std::size_t>(table.rows); ++i)
    sets.push_back(made.masked.sets[static_cast<std::size_t>(made.cells(i)) * 2]);
  return sets;
}

TEST(ReplayOfCells, TriesTheCategoriesOfAPublishedSet) {
  std::mt19937_64 random(5);
  SilentTicker ticker;
  int other_sets = 0;
  for (int round = 0; round < trials(20); ++round) {
    std::vector<double> numbers, codes;
    for (int i = 0; i < 15; ++i) {
      numbers.push_back(0);  // so that the categories alone form the classes
      codes.push_back(i < 4 ? i : static_cast<double>(random() % 4));
    }
    OwnedTable owned = categories_beside(numbers, codes);
    const auto published = sets_of(owned.view());
    for (const ReplayedCells& target : replay_cells(
             owned.view(), *find_method("mdav"), attacked_options({"mdav", nullptr, Recode::range}),
             {30, 0, 0, 60, static_cast<std::uint64_t>(round)}, ticker)) {
      if (target.column != 0) continue;
      const auto row = static_cast<std::size_t>(target.first);
      EXPECT_EQ(target.box, static_cast<int>(published[row].size()));
      // The release shows the rows in no order.
      auto seen = published;
      std::sort(seen.begin(), seen.end());
      int code = 0;
      for (const std::int32_t category : published[row]) {
        owned.values[2 * row] = category;
        auto other = sets_of(owned.view());
        std::sort(other.begin(), other.end());
        code += other == seen ? 1 : 0;
      }
      owned.values[2 * row] = codes[row];
      EXPECT_LE(target.code, code);
      if (target.form == target.box) {
        EXPECT_EQ(target.code, code);
        other_sets += code < target.form ? 1 : 0;
      }
    }
  }
  EXPECT_GT(other_sets, 0);
}

TEST(ReplayOfCells, TwoValuesAreTheEndsOfTheBox) {
  // The classes are the first two rows, below the top, and the last two.
  OwnedTable owned = categories_beside({0, 0, 900, 900}, {0, 2, 1, 1});
  const Hierarchy hierarchy({{0, 0, 1}, {0, 0, 0}});
  const std::vector<std::int32_t> leaves = {0, 2, 1, 1};
  owned.columns[0].hierarchy = &hierarchy;
  Table table = owned.view();
  table.columns[0].leaves = leaves.data();
  Options options = attacked_options({"mdav", nullptr, Recode::hierarchy});
  options.k = 2;
  SilentTicker ticker;
  int attacked = 0;
  for (const ReplayedCells& target :
       replay_cells(table, *find_method("mdav"), options, {8, 0, 0, 2, 1}, ticker)) {
    if (target.column != 0 || target.first != 0) continue;
    ++attacked;
    EXPECT_EQ(target.box, 2);
    EXPECT_EQ(target.form, 1) << "a class of the last value alone has a label below the top";
  }
  EXPECT_EQ(attacked, 1);
}

TEST(ReplayOfCells, TriesTheNumbersOfARangeThatAHierarchyKnows) {
  const Hierarchy hierarchy = Hierarchy::suppression(4);
  const std::vector<std::int32_t> leaves = {0, 1, 2, 3};
  OwnedTable owned = table_of({1, 2, 10, 11});
  owned.columns[0].hierarchy = &hierarchy;
  owned.columns[0].leaves = leaves.data();
  Options options = attacked_options({"mdav", nullptr, Recode::range});
  options.k = 2;
  SilentTicker ticker;
  const auto targets =
      replay_cells(owned.view(), *find_method("mdav"), options, {4, 0, 0, 9, 1}, ticker);
  ASSERT_EQ(targets.size(), 4U);
  for (const ReplayedCells& target : targets) EXPECT_EQ(target.box, 2);
}

TEST(ReplayOfCells, SwappedRowsHaveAnyForm) {
  WholeNumbers numbers;
  numbers.values = {1, 5, 2, 4, 3, 3, 9, 8, 8, 6, 7, 7};
  SilentTicker ticker;
  for (const ReplayedCells& target :
       replay_cells(numbers.view(), *find_method("mdav"),
                    attacked_options({"mdav", nullptr, Recode::swap}), {12, 0, 0, 9, 1}, ticker))
    EXPECT_EQ(target.form, target.box);
}

TEST(ReplayOfCells, AttacksEachCellOnceWhereMoreAreWanted) {
  WholeNumbers numbers;
  numbers.values = {1, 5, 2, 4, 3, 3, 9, 8, 8, 6, 7, 7};
  SilentTicker ticker;
  std::set<std::pair<Record, std::size_t>> cells;
  for (const ReplayedCells& target :
       replay_cells(numbers.view(), *find_method("mdav"),
                    attacked_options({"mdav", nullptr, Recode::range}), {40, 0, 0, 3, 1}, ticker))
    EXPECT_TRUE(cells.emplace(target.first, target.column).second);
  EXPECT_EQ(cells.size(), 12U);
}

TEST(ReplayOfCells, DrawsTwoHundredCombinationsForEachValue) {
  // Few combinations of five cells meet all five means, and the truth is hardly ever drawn.
  std::mt19937_64 random(6);
  std::vector<double> values;
  for (int i = 0; i < 30; ++i) values.push_back(static_cast<double>(random() % 1000));
  OwnedTable owned = table_of(std::move(values), std::vector<Attribute>(5));
  for (Column& column : owned.columns) column.rounding = {Rounding::To::integer, 0};
  SilentTicker ticker;
  const auto targets =
      replay_cells(owned.view(), *find_method("mdav"),
                   attacked_options({"mdav", nullptr, Recode::centroid}), {0, 2, 0, 10, 1}, ticker);
  ASSERT_EQ(targets.size(), 2U);
  for (const ReplayedCells& target : targets) {
    EXPECT_LT(target.form, 10);
    EXPECT_EQ(target.box, 1 + 200 * 10);
  }
}

TEST(ReplayOfCells, NeedsMemoryForTwoReleasesAndTheCells) {
  const OwnedTable small = table_of(std::vector<double>(2000, 1), std::vector<Attribute>(2));
  const OwnedTable large = table_of(std::vector<double>(4000, 1), std::vector<Attribute>(2));
  const std::int64_t of_a_half =
      2 * released_bytes(small.view()) + 2000 * std::int64_t{sizeof(double)};
  EXPECT_GT(replay_cells_bytes(small.view()), of_a_half);
  EXPECT_GT(replay_cells_bytes(large.view()) - replay_cells_bytes(small.view()), of_a_half);
}

TEST(ReleasedRows, DifferWhereOnlyTheMiddleOfASetDoes) {
  SilentTicker ticker;
  const Options options = attacked_options({"mdav", nullptr, Recode::range});
  const OwnedTable two = categories_beside({0, 0, 0}, {0, 2, 2});
  const OwnedTable three = categories_beside({0, 0, 0}, {0, 1, 2});
  const Method& method = *find_method("mdav");
  const Table table = two.view();
  const ReleasedRows release(table, anonymize(table, method, options, ticker), ticker);
  EXPECT_TRUE(leads_to(release, table, method, options, ticker));
  EXPECT_FALSE(leads_to(release, three.view(), method, options, ticker));
  Options too_many = options;
  too_many.k = table.rows + 1;
  EXPECT_THROW(leads_to(release, table, method, too_many, ticker), Error) << "not another release";
}

}  // namespace
}  // namespace anonkit
