// Attacks on relations with nulls among numbers.

#include <gtest/gtest.h>

#include <cmath>

#include "base/at.hpp"
#include "fixture/attacks.hpp"
#include "fixture/nullable.hpp"
#include "fixture/random_cells.hpp"
#include "risk/agreement.hpp"
#include "risk/exact_matches.hpp"
#include "risk/exposure.hpp"
#include "risk/record_linkage.hpp"

namespace anonkit {
namespace {

/// Integers below 8, and nulls.
Nullable drawn_numbers(std::int32_t rows, Random& random) {
  Nullable drawn;
  for (std::int32_t i = 0; i < rows; ++i)
    drawn.push_back(random.below(3) == 0 ? std::nullopt : std::optional<double>(random.below(8)));
  return drawn;
}

/// The squared distance of a cell of the original from one of the masked relation. A null is at the
/// mean of the original's numbers, and 1 apart from numbers.
double squared_distance(const CellColumn& before, std::int32_t rows, const CellColumn& after,
                        std::int32_t original, std::int32_t masked) {
  std::vector<double> numbers;
  for (std::int32_t i = 0; i < rows; ++i)
    if (!before.is_null(i)) numbers.push_back(before.low[i]);
  const auto n = static_cast<double>(numbers.size());
  double mean = 0, squares = 0;
  for (const double x : numbers) mean += x / n;
  for (const double x : numbers) squares += (x - mean) * (x - mean);
  const auto place = [&](const CellColumn& column, std::int32_t row) {
    return column.is_null(row) || !(squares > 1e-12)
               ? 0
               : (column.low[row] - mean) * std::sqrt((n - 1) / squares);
  };
  const double apart = place(before, original) - place(after, masked);
  return apart * apart + (before.is_null(original) != after.is_null(masked) ? 1 : 0);
}

TEST(NullNumbers, AreNearestToNulls) {
  Random random(3);
  SilentTicker ticker;
  for (int round = 0; round < 300; ++round) {
    const auto rows = static_cast<std::int32_t>(1 + random.below(25));
    const Nullable original[2] = {drawn_numbers(rows, random), drawn_numbers(rows, random)};
    const Nullable masked[2] = {drawn_numbers(rows, random), drawn_numbers(rows, random)};
    CellsPair pair;
    pair.original = {rows, {original[0].column(), original[1].column()}};
    pair.masked = {rows, {masked[0].column(), masked[1].column()}};
    double candidates = 0;
    for (std::int32_t i = 0; i < rows; ++i) {
      std::vector<double> distances;
      for (std::int32_t m = 0; m < rows; ++m) {
        double sum = 0;
        for (std::size_t j = 0; j < 2; ++j)
          sum += squared_distance(pair.original.columns[j], rows, pair.masked.columns[j], i, m);
        distances.push_back(sum);
      }
      const double least = *std::min_element(distances.begin(), distances.end());
      candidates += static_cast<double>(
          std::count_if(distances.begin(), distances.end(),
                        [&](double distance) { return distance <= least * (1 + 1e-9) + 1e-18; }));
    }
    ASSERT_NEAR(link_by_distance(pair, 2, ticker).candidates, candidates / rows, 1e-9) << round;
  }
}

TEST(NullNumbers, MatchNullsExactly) {
  const Nullable original({1, std::nullopt, 3, 3, std::nullopt});
  const Nullable of_first({std::nullopt, 4, 2, 2, 5});
  CellsPair pair;
  pair.original = {5, {original.column(), of_first.column()}};
  pair.masked = pair.original;
  SilentTicker ticker;
  const ExactMatches found = exact_matches(pair, ticker);
  EXPECT_EQ(found.uniques, 3);
  EXPECT_EQ(found.matched, 3);
}

TEST(NullNumbers, AgreeWithPublishedNullsAlone) {
  const Nullable original({1, std::nullopt, 7});
  const Nullable with_null({1, std::nullopt, 1});
  const CellsPair pair = pair_of_nullable(original, with_null);
  const std::vector<std::int32_t> codes = agreement_codes(pair, 0).codes;
  EXPECT_EQ(codes[0], codes[3]);
  EXPECT_EQ(codes[1], codes[4]);
  EXPECT_NE(codes[0], codes[1]);
  EXPECT_NE(codes[2], codes[4]);
  const Nullable without({1, 2, 1});
  const std::vector<std::int32_t> others =
      agreement_codes(pair_of_nullable(original, without), 0).codes;
  for (std::size_t masked = 3; masked < 6; ++masked) EXPECT_NE(others[1], others[masked]);
}

TEST(NullNumbers, OfASensitiveColumnAreAValueOfTheirOwn) {
  const double original[] = {5, kNullLow, 9};
  const double masked[] = {6, kNullLow, kNullLow};
  const Tenths coded = tenths(original, 3, masked, 3);
  EXPECT_EQ(coded.values, 4);
  EXPECT_EQ(coded.original, (std::vector<std::int32_t>{0, 3, 2}));
  EXPECT_EQ(coded.masked, (std::vector<std::int32_t>{1, 3, 3}));
  const Tenths alone = tenths(original + 1, 1, masked + 1, 2);
  EXPECT_EQ(alone.original[0], alone.masked[1]);
}

TEST(NullNumbers, ThatAreAllThatIsPublishedHaveNoDeciles) {
  std::vector<double> original;
  for (int i = 0; i < 50; ++i) original.push_back(i);
  const std::vector<double> masked(50, kNullLow);
  const Tenths coded = tenths(original.data(), 50, masked.data(), 50);
  EXPECT_EQ(coded.values, 2);
  EXPECT_EQ(coded.original, std::vector<std::int32_t>(50, 0));
  EXPECT_EQ(coded.masked, std::vector<std::int32_t>(50, 1));
}

// A value with nulls alone has unknown numbers, which are not all 0.
TEST(NullNumbers, LeaveBayesTheNumbersOfAll) {
  Nullable published;
  std::vector<std::int32_t> codes;
  for (int i = 0; i < 42; ++i) {
    codes.push_back(i % 2);
    published.push_back(i % 2 == 0 ? std::optional<double>(i / 2 - 10) : std::nullopt);
  }
  const Nullable known({0, 0});
  CellsPair pair;
  pair.original = {2, {known.column()}};
  pair.masked = {42, {published.column()}};
  SilentTicker ticker;
  const PublishedPoints points(pair, 1, ticker);
  const std::vector<std::int32_t> truth = {0, 0};
  EXPECT_EQ(guess(pair, points, {{truth.data(), codes.data(), 2}}, 1, 1, ticker)[0].by_bayes, 1);
}

TEST(NullNumbers, TellBayesTheirValue) {
  Nullable numbers;
  std::vector<std::int32_t> codes;
  for (int i = 0; i < 30; ++i) {
    codes.push_back(i % 3 == 0 ? 1 : 0);
    numbers.push_back(i % 3 == 0 ? std::nullopt : std::optional<double>(i));
  }
  const CellsPair pair = pair_of_nullable(numbers, numbers);
  SilentTicker ticker;
  const PublishedPoints points(pair, 2, ticker);
  EXPECT_DOUBLE_EQ(guess(pair, points, {{codes.data(), codes.data(), 2}}, 1, 2, ticker)[0].by_bayes,
                   1);
}

TEST(NullNumbers, AreExposedByNoRangeAndNoCentroid) {
  SilentTicker ticker;
  const Nullable values({1, 2, std::nullopt, 4, std::nullopt});
  Nullable ranges;
  for (int i = 0; i < 2; ++i) ranges.push_back(1, 2);
  ranges.push_back(std::nullopt);
  ranges.push_back(3, 5);
  ranges.push_back(3, 5);
  const Exposure of_ranges =
      exposures(pair_of_nullable(values, ranges), {0, 0, 1, 2, 2}, ticker)[0];
  EXPECT_DOUBLE_EQ(of_ranges.range_ends, 2.0 / 5);
  const Nullable means({1.5, 1.5, std::nullopt, std::nullopt, std::nullopt});
  const Exposure of_means = exposures(pair_of_nullable(values, means), {0, 0, 1, 1, 1}, ticker)[0];
  EXPECT_DOUBLE_EQ(of_means.solved, 2.0 / 5);
  EXPECT_EQ(exposures_of_ends(pair_of_nullable(values, means), ticker)[0].range_ends, 0);
}

}  // namespace
}  // namespace anonkit
