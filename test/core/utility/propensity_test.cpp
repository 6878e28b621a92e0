#include "utility/propensity.hpp"

#include <gtest/gtest.h>

#include "base/at.hpp"
#include "base/random.hpp"
#include "fixture/random_cells.hpp"

namespace anonkit {
namespace {

TEST(Propensity, Is0WhereNothingTellsThemApartAndAQuarterWhereAllDoes) {
  std::vector<double> near;
  std::vector<double> far;
  for (int i = 0; i < 50; ++i) {
    near.push_back(i);
    far.push_back(1000 + i);
  }
  Cells original;
  original.rows = 50;
  original.columns = {points(near)};
  Cells other = original;
  other.columns = {points(far)};
  SilentTicker ticker;
  EXPECT_NEAR(propensity_mse(original, original, 2, ticker), 0, 1e-12);
  EXPECT_NEAR(propensity_mse(original, other, 2, ticker), 0.25, 1e-3);
}

// Means are preserved, and so is every main effect.
TEST(Propensity, SeesMicroaggregation) {
  Random random(8);
  std::vector<double> before(1000);
  for (double& x : before) x = random.below(1000000);
  std::vector<double> after = before;
  for (std::size_t i = 0; i < after.size(); i += 2)
    after[i] = after[i + 1] = (after[i] + after[i + 1]) / 2;
  Cells original;
  original.rows = 1000;
  original.columns = {points(before)};
  Cells masked = original;
  masked.columns = {points(after)};
  SilentTicker ticker;
  EXPECT_GT(propensity_mse(original, masked, 2, ticker), 0.01);
}

/// Repeats the records of one column.
std::vector<double> repeated(const std::vector<double>& values, int times) {
  std::vector<double> all;
  for (int i = 0; i < times; ++i) all.insert(all.end(), values.begin(), values.end());
  return all;
}

// Copies of all records have the weights of the records. Those of many are first sought in a
// sample.
TEST(Propensity, OfManyCopiesIsThatOfTheRecords) {
  Random random(9);
  std::vector<double> before(997), after;
  for (double& x : before) x = random.below(1000000);
  for (const double x : before) after.push_back(0.9 * x + random.below(300000));
  const std::vector<double> many = repeated(before, 40), masked_many = repeated(after, 40);
  const auto score = [](const std::vector<double>& original, const std::vector<double>& masked) {
    Cells from, to;
    from.rows = to.rows = static_cast<std::int32_t>(original.size());
    from.columns = {points(original)};
    to.columns = {points(masked)};
    SilentTicker ticker;
    return propensity_mse(from, to, 2, ticker);
  };
  const double of_few = score(before, after);
  EXPECT_GT(of_few, 1e-3);
  EXPECT_NEAR(score(many, masked_many), of_few, 1e-7 * of_few);
}

// Both columns have equal shares before and after; only their combinations differ.
TEST(Propensity, SeesAnInteractionOfCategories) {
  const std::vector<std::int32_t> first = {0, 0, 1, 1};
  const std::vector<std::int32_t> agreeing = {0, 0, 1, 1};
  const std::vector<std::int32_t> crossed = {0, 1, 0, 1};
  const auto cells = [&](const std::vector<std::int32_t>& second) {
    Cells made;
    made.rows = 4;
    made.columns = {categories(first, 2), categories(second, 2)};
    return made;
  };
  SilentTicker ticker;
  // Two of the four combinations have 2 : 1 and two 0 : 1 records.
  EXPECT_NEAR(propensity_mse(cells(agreeing), cells(crossed), 2, ticker), (6.0 / 36 + 2.0 / 4) / 8,
              1e-3);
}

Cells of_category(const std::vector<std::int32_t>& codes, std::int32_t count) {
  Cells cells;
  cells.rows = static_cast<std::int32_t>(codes.size());
  cells.columns = {categories(codes, count)};
  return cells;
}

// With one indicator the fitted probabilities equal the shares of each category.
TEST(Propensity, OfACategoryIsThatOfTheShares) {
  const std::vector<std::int32_t> before = {0, 0, 0, 0, 1, 1};
  const std::vector<std::int32_t> after = {0, 0, 1, 1, 1, 1};
  const Cells original = of_category(before, 2);
  const Cells masked = of_category(after, 2);
  SilentTicker ticker;
  const double off = 1.0 / 3 - 0.5;
  EXPECT_NEAR(propensity_mse(original, masked, 2, ticker), off * off, 1e-8);
}

// A value of one relation alone tells its records. The others are as if there were none.
TEST(Propensity, OfRecordsThatAValueTellsIsTheLimit) {
  const std::vector<std::int32_t> before = {0, 0, 1, 1, 2, 2, 4};
  const std::vector<std::int32_t> after = {0, 0, 1, 1, 1, 1, 3};
  const Cells original = of_category(before, 5);
  Cells masked = of_category(after, 5);
  SilentTicker ticker;
  const double told = 4 * 0.25, of_second = 6 * (2.0 / 3 - 0.5) * (2.0 / 3 - 0.5);
  EXPECT_NEAR(propensity_mse(original, masked, 2, ticker), (told + of_second) / 14, 1e-8);
  // In files of unequal size c is not a half.
  masked.rows = 6;
  const double c = 6.0 / 13;
  EXPECT_NEAR(propensity_mse(original, masked, 2, ticker),
              (3 * c * c + 4 * (0.5 - c) * (0.5 - c) + 6 * (2.0 / 3 - c) * (2.0 / 3 - c)) / 13,
              1e-8);
}

// A category's values have terms beside any numbers, and so its shares are fitted exactly.
TEST(Propensity, SeesAllValuesOfACategoryBesideConstants) {
  std::vector<std::int32_t> before, after;
  double expected = 0;
  for (std::int32_t v = 0; v < 40; ++v) {
    const int more = v % 2;
    before.insert(before.end(), 2, v);
    after.insert(after.end(), at(1 + 2 * more), v);
    const double off = (1 + 2 * more) / (3.0 + 2 * more) - 0.5;
    expected += off * off * (3 + 2 * more) / 160;
  }
  const std::vector<double> constant(before.size(), 7);
  Cells original;
  original.rows = 80;
  original.columns.assign(12, points(constant));
  Cells masked = original;
  original.columns.push_back(categories(before, 40));
  masked.columns.push_back(categories(after, 40));
  SilentTicker ticker;
  EXPECT_NEAR(propensity_mse(original, masked, 2, ticker), expected, 1e-6);
}

}  // namespace
}  // namespace anonkit
