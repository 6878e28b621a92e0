#include "risk/exact_matches.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "base/at.hpp"
#include "fixture/random_cells.hpp"

namespace anonkit {
namespace {

/// True if row a of one relation equals row b of another in every column.
bool rows_equal(const Cells& one, std::int32_t a, const Cells& other, std::int32_t b) {
  for (std::size_t j = 0; j < one.columns.size(); ++j) {
    const CellColumn& x = one.columns[j];
    const CellColumn& y = other.columns[j];
    const bool equal =
        x.numeric() ? x.low[a] == y.low[b] && x.high[a] == y.high[b] : x.codes[a] == y.codes[b];
    if (!equal) return false;
  }
  return true;
}

std::int32_t equals_among(const Cells& one, std::int32_t a, const Cells& other) {
  std::int32_t equals = 0;
  for (std::int32_t b = 0; b < other.rows; ++b) equals += rows_equal(one, a, other, b) ? 1 : 0;
  return equals;
}

TEST(ExactMatches, AreThoseOfAllPairsOfRecords) {
  Random random(34);
  SilentTicker ticker;
  std::int64_t matches_seen = 0;
  for (int round = 0; round < 2000; ++round) {
    RandomPair made;
    const int numeric = static_cast<int>(random.below(3));
    fill_random_pair(made, random, 1 + static_cast<int>(random.below(25)), numeric,
                     numeric == 0 ? 2 : static_cast<int>(random.below(3)),
                     1 + static_cast<int>(random.below(3)), random.below(2) == 1);
    // Releases can lack records, and repeat others.
    made.pair.masked.rows -= static_cast<std::int32_t>(random.below(3));
    if (made.pair.masked.rows < 1) made.pair.masked.rows = 1;
    const Cells& original = made.pair.original;
    ExactMatches expected;
    for (std::int32_t i = 0; i < original.rows; ++i) {
      if (equals_among(original, i, original) != 1) continue;
      ++expected.uniques;
      if (equals_among(original, i, made.pair.masked) == 1) ++expected.matched;
      if (equals_among(original, i, made.pair.masked) > 0) ++expected.found;
    }
    const ExactMatches found = exact_matches(made.pair, ticker);
    ASSERT_EQ(found.uniques, expected.uniques) << round;
    ASSERT_EQ(found.matched, expected.matched) << round;
    ASSERT_EQ(found.found, expected.found) << round;
    matches_seen += found.matched;
  }
  EXPECT_GT(matches_seen, 0);
}

TEST(ExactMatches, AreNoneInRangesOfSeveralNumbers) {
  constexpr double kOpen = std::numeric_limits<double>::infinity();
  const std::vector<double> original = {1, 2, 3, 3};
  const std::vector<double> low = {1, 2, -kOpen, 3};
  const std::vector<double> high = {2, 2, 3, 3};
  CellsPair pair;
  pair.original = {4, {{original.data(), original.data(), nullptr, 0}}};
  pair.masked = {4, {{low.data(), high.data(), nullptr, 0}}};
  SilentTicker ticker;
  const ExactMatches found = exact_matches(pair, ticker);
  EXPECT_EQ(found.uniques, 2) << "1 and 2; two records have 3";
  EXPECT_EQ(found.matched, 1) << "2 alone: [1,2] could be any of its numbers";
}

TEST(ExactMatches, OfATableWithItselfAreItsUniqueRecords) {
  const std::vector<double> numbers = {1, -0.0, 0.0, 4};
  const std::vector<std::int32_t> codes = {0, 1, 1, 1};
  CellsPair pair;
  pair.original = {
      4, {{numbers.data(), numbers.data(), nullptr, 0}, {nullptr, nullptr, codes.data(), 2}}};
  pair.masked = pair.original;
  SilentTicker ticker;
  const ExactMatches found = exact_matches(pair, ticker);
  EXPECT_EQ(found.uniques, 2) << "the zeros are equal";
  EXPECT_EQ(found.matched, 2);
}

}  // namespace
}  // namespace anonkit
