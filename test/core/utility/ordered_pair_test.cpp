#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <utility>

#include "base/at.hpp"
#include "fixture/random_cells.hpp"
#include "utility/distribution.hpp"
#include "utility/linear.hpp"
#include "utility/masking_loss.hpp"
#include "utility/ordered_pair.hpp"
#include "utility/propensity.hpp"
#include "utility/range_queries.hpp"

namespace anonkit {
namespace {

void append(std::vector<double>& figures, const Moments& moments) {
  figures.insert(figures.end(), moments.mean.data(), moments.mean.data() + moments.mean.size());
  figures.insert(figures.end(), moments.in_units.data(),
                 moments.in_units.data() + moments.in_units.size());
}

/// Every figure of the pair that is a sum over rows, but the loss of the classes.
std::vector<double> figures_of(const CellsPair& read) {
  SilentTicker ticker;
  OrderedPair ordered(read, 2, ticker);
  const CellsPair& records = ordered.records();
  const MaskingLoss loss = masking_loss(records, 2, ticker);
  std::vector<double> figures = {loss.squared, std::isnan(loss.ncp) ? -1 : loss.ncp,
                                 loss.discernibility,
                                 propensity_mse(records.original, records.masked, 2, ticker)};
  const CellsPair& pair = ordered.weighted();
  for (std::size_t j = 0; j < pair.original.columns.size(); ++j)
    figures.push_back(hellinger(pair.original.columns[j], pair.original.rows,
                                pair.masked.columns[j], pair.masked.rows, ticker));
  append(figures, moments_of(pair.original, ticker));
  append(figures, moments_of(pair.masked, ticker));
  figures.push_back(mean_query_error(pair.original, pair.masked, 10, 7, 2, ticker));
  return figures;
}

std::vector<std::int32_t> shuffled_numbers(std::int32_t n, Random& random) {
  std::vector<std::int32_t> order(at(n));
  std::iota(order.begin(), order.end(), 0);
  for (auto i = static_cast<std::uint32_t>(n); i > 1; --i)
    std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

/// The rows of one relation in another order.
Cells shuffled(const Cells& cells, const std::vector<std::int32_t>& order, RandomPair& owner) {
  Cells copy = cells;
  const auto numbers = [&](const double* from) {
    std::vector<double>& to = owner.numbers.emplace_back();
    for (const std::int32_t row : order) to.push_back(from[row]);
    return to.data();
  };
  for (CellColumn& column : copy.columns) {
    column.weights = numbers(column.weights);
    if (column.numeric()) {
      column.low = numbers(column.low);
      column.high = numbers(column.high);
      continue;
    }
    std::vector<std::int32_t>& codes = owner.codes.emplace_back();
    for (const std::int32_t row : order) codes.push_back(column.codes[row]);
    column.codes = codes.data();
  }
  return copy;
}

/// Weights, and numbers, whose sums depend on the order of their terms.
void make_fractions(RandomPair& made, Random& random) {
  for (std::vector<double>& numbers : made.numbers)
    for (double& x : numbers) x /= 10;
  for (Cells* cells : {&made.pair.original, &made.pair.masked}) {
    std::vector<double>& weights = made.numbers.emplace_back();
    for (std::int32_t i = 0; i < cells->rows; ++i) weights.push_back(1.1 + random.below(40) * 1.6);
    cells->weigh(weights.data());
  }
}

TEST(OrderedPair, FiguresDoNotDependOnTheOrderOfTheRows) {
  Random random(31);
  for (int round = 0; round < 100; ++round) {
    RandomPair made;
    fill_random_pair(made, random, 30 + static_cast<int>(random.below(60)), 2, 2, 3,
                     round % 2 == 1);
    make_fractions(made, random);
    // Some records are suppressed.
    for (std::int32_t& image : made.pair.image)
      if (round % 4 > 1 && random.below(6) == 0) image = -1;
    const std::vector<double> figures = figures_of(made.pair);
    const std::vector<std::int32_t> original = shuffled_numbers(made.pair.original.rows, random);
    const std::vector<std::int32_t> masked = shuffled_numbers(made.pair.masked.rows, random);
    CellsPair other;
    other.original = shuffled(made.pair.original, original, made);
    other.masked = shuffled(made.pair.masked, masked, made);
    std::vector<std::int32_t> place(masked.size());
    for (std::size_t i = 0; i < masked.size(); ++i)
      place[at(masked[i])] = static_cast<std::int32_t>(i);
    for (const std::int32_t row : original) {
      const std::int32_t image = made.pair.image[at(row)];
      other.image.push_back(image < 0 ? -1 : place[at(image)]);
    }
    ASSERT_EQ(figures_of(other), figures) << round;
  }
}

TEST(OrderedPair, KeepsTheImagesAndTheWeights) {
  const std::vector<double> before = {3, 1, 2};
  const std::vector<double> after = {20, 10};
  const std::vector<double> weights[2] = {{1.5, 2.5, 3.5}, {4.5, 5.5}};
  CellsPair read;
  read.original = {3, {CellColumn()}};
  read.masked = {2, {CellColumn()}};
  read.original.columns[0].low = read.original.columns[0].high = before.data();
  read.masked.columns[0].low = read.masked.columns[0].high = after.data();
  read.original.weigh(weights[0].data());
  read.masked.weigh(weights[1].data());
  read.image = {0, 1, -1};
  SilentTicker ticker;
  OrderedPair ordered(read, 2, ticker);
  const CellsPair& pair = ordered.weighted();
  EXPECT_EQ(pair.image, (std::vector<std::int32_t>{0, -1, 1}));
  for (std::int32_t i = 0; i < 3; ++i) EXPECT_EQ(pair.original.columns[0].low[i], i + 1);
  EXPECT_EQ(pair.original.columns[0].weight(0), 2.5);
  EXPECT_EQ(pair.original.columns[0].weight(2), 1.5);
  EXPECT_EQ(pair.masked.columns[0].high[0], 10);
  EXPECT_EQ(pair.masked.columns[0].weight(0), 5.5);
  EXPECT_EQ(ordered.records().masked.columns[0].weight(0), 1);
}

}  // namespace
}  // namespace anonkit
