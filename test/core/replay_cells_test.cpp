#include "replay_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "fixture/trials.hpp"
#include "method/method.hpp"

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

}  // namespace
}  // namespace anonkit
