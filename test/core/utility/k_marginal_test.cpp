#include "utility/k_marginal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "fixture/random_cells.hpp"
#include "fixture/trials.hpp"

namespace anonkit {
namespace {

/// The value of a cell in SDNist's densities: a category, a number, or the place of a number among
/// the ends of numpy.percentile(method = 'higher') at steps of 5 %, as pandas.cut has it.
double marginal_value(const Cells& original, const CellColumn& column, std::size_t j,
                      std::int32_t row) {
  if (!column.numeric()) return column.codes[row];
  std::vector<double> sorted;
  for (std::int32_t i = 0; i < original.rows; ++i) sorted.push_back(original.columns[j].middle(i));
  std::sort(sorted.begin(), sorted.end());
  int distinct = 1;
  for (std::size_t i = 1; i < sorted.size(); ++i) distinct += sorted[i] != sorted[i - 1] ? 1 : 0;
  const double x = column.middle(row);
  if (distinct <= 20) return x;
  double place = 0;
  if (x < sorted.front()) return -1;
  for (int step = 0; step <= 20; ++step) {
    const double end = sorted[static_cast<std::size_t>(
        std::ceil(step * static_cast<double>(sorted.size() - 1) / 20))];
    if (x > end && end > sorted.front()) place = end;
  }
  return place;
}

/// SDNist's score, from its definition.
double reference(const Cells& original, const Cells& masked, std::size_t size) {
  const std::size_t n = original.columns.size();
  double sum = 0;
  int sets = 0;
  for (unsigned set = 1; set < 1U << n; ++set) {
    std::vector<std::size_t> columns;
    for (std::size_t j = 0; j < n; ++j)
      if ((set >> j & 1) != 0) columns.push_back(j);
    if (columns.size() != std::min(size, n)) continue;
    std::map<std::vector<double>, double> density[2];
    for (const Cells* cells : {&original, &masked}) {
      const double total = total_weight(cells->columns[0], cells->rows);
      for (std::int32_t i = 0; i < cells->rows; ++i) {
        std::vector<double> value;
        for (const std::size_t j : columns)
          value.push_back(marginal_value(original, cells->columns[j], j, i));
        density[cells == &masked ? 1 : 0][value] += cells->columns[0].weight(i) / total;
      }
    }
    for (const auto& [value, share] : density[0]) sum += std::fabs(share - density[1][value]);
    for (const auto& [value, share] : density[1])
      if (density[0].count(value) == 0) sum += share;
    ++sets;
  }
  return (2 - sum / sets) * 500;
}

TEST(KMarginal, IsThatOfTheDefinition) {
  Random random(19);
  SilentTicker ticker;
  for (int round = 0; round < trials(2000); ++round) {
    RandomPair made;
    fill_random_pair(made, random, 2 + static_cast<int>(random.below(60)),
                     static_cast<int>(random.below(3)), 1 + static_cast<int>(random.below(2)),
                     1 + static_cast<int>(random.below(4)), round % 2 == 0);
    // More than twenty values, with ties, and numbers beyond those of the original.
    if (round % 3 == 0)
      for (std::vector<double>& column : made.numbers)
        for (double& x : column) x = x * 7 + random.below(9);
    // Each column has its numbers, and the lower and upper ends of the masked ranges.
    for (std::size_t low = 1; low + 1 < made.numbers.size(); low += 3)
      for (std::size_t i = 0; i < made.numbers[low].size(); ++i)
        made.numbers[low + 1][i] = std::max(made.numbers[low][i], made.numbers[low + 1][i]);
    std::vector<double> weights;
    for (std::int32_t i = 0; i < made.pair.original.rows; ++i)
      weights.push_back(1 + random.below(3));
    if (round % 5 == 0) {
      made.pair.original.weigh(weights.data());
      made.pair.masked.weigh(weights.data());
    }
    const auto found = k_marginal(made.pair.original, made.pair.masked, {1, 2, 3}, 1, 2, ticker);
    for (std::size_t size = 1; size <= 3; ++size)
      ASSERT_NEAR(found[size - 1].score, reference(made.pair.original, made.pair.masked, size),
                  1e-9);
  }
}

TEST(KMarginal, OfOneRelationIs1000AndOfDifferentValues0) {
  const std::vector<double> a = {1, 2, 3, 4}, b = {5, 6, 7, 8};
  const std::vector<std::int32_t> c = {0, 1, 1, 2};
  Cells before, after;
  before.rows = after.rows = 4;
  before.columns = {points(a), categories(c, 3)};
  after.columns = {points(b), categories(c, 3)};
  SilentTicker ticker;
  EXPECT_DOUBLE_EQ(k_marginal(before, before, {2}, 1, 2, ticker)[0].score, 1000);
  EXPECT_DOUBLE_EQ(k_marginal(before, after, {2}, 1, 2, ticker)[0].score, 0);
}

// Both columns keep their distributions; only their links differ.
TEST(KMarginal, SeesExchangedValuesInPairsAlone) {
  const std::vector<std::int32_t> a = {0, 0, 1, 1}, agreeing = {0, 0, 1, 1}, crossed = {0, 1, 0, 1};
  Cells before, after;
  before.rows = after.rows = 4;
  before.columns = {categories(a, 2), categories(agreeing, 2)};
  after.columns = {categories(a, 2), categories(crossed, 2)};
  SilentTicker ticker;
  EXPECT_DOUBLE_EQ(k_marginal(before, after, {1}, 1, 2, ticker)[0].score, 1000);
  EXPECT_DOUBLE_EQ(k_marginal(before, after, {2}, 1, 2, ticker)[0].score, 500);
}

TEST(KMarginal, DrawsSetsBySeedWhereThereAreMany) {
  Random random(4);
  RandomPair made;
  fill_random_pair(made, random, 30, 0, 40, 1, false);
  SilentTicker ticker;
  const KMarginal found = k_marginal(made.pair.original, made.pair.masked, {2}, 1, 2, ticker)[0];
  EXPECT_EQ(found.sets, kMostMarginals);
  EXPECT_EQ(found.all, 780);
  EXPECT_EQ(found.score,
            k_marginal(made.pair.original, made.pair.masked, {2}, 1, 2, ticker)[0].score);
  EXPECT_NE(found.score,
            k_marginal(made.pair.original, made.pair.masked, {2}, 2, 2, ticker)[0].score);
}

}  // namespace
}  // namespace anonkit
