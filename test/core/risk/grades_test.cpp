// The codes by which sensitive numbers are guessed where they are published in ranges.

#include <gtest/gtest.h>

#include <numeric>

#include "base/ticker.hpp"
#include "risk/inference.hpp"

namespace anonkit {
namespace {

/// One column of numbers and of published ranges. A number is a range of its own.
CellsPair published_in_ranges(const std::vector<double>& numbers, const std::vector<double>& ends,
                              const std::vector<double>& low, const std::vector<double>& high) {
  CellColumn original;
  original.low = numbers.data();
  original.high = ends.data();
  CellColumn masked;
  masked.low = low.data();
  masked.high = high.data();
  CellsPair pair;
  pair.original = {static_cast<std::int32_t>(numbers.size()), {original}};
  pair.masked = {static_cast<std::int32_t>(low.size()), {masked}};
  return pair;
}

TEST(Grades, AreRangesThatContainTheNumbers) {
  const std::vector<double> numbers = {20, 29, 30, 39.5, 41, 7, kNullLow};
  const std::vector<double> ends = {20, 29, 30, 39.5, 41, 7, kNullHigh};
  const std::vector<double> low = {20, 30, 20, kNullLow}, high = {30, 40, 30, kNullHigh};
  SilentTicker ticker;
  const Tenths coded = grades(published_in_ranges(numbers, ends, low, high), 0, ticker);
  EXPECT_EQ(coded.values, 4);
  EXPECT_EQ(coded.masked, (std::vector<std::int32_t>{0, 1, 0, 2}));
  EXPECT_EQ(coded.original, (std::vector<std::int32_t>{0, 0, 1, 1, 3, 3, 2}));
}

TEST(Grades, OfManyOrOverlappingRangesAreThoseOfTheirMiddles) {
  std::vector<double> numbers(300), low(300), high(300), middle(300);
  std::iota(numbers.begin(), numbers.end(), 0);
  for (const double width : {1.0, 50.0}) {
    for (std::size_t i = 0; i < low.size(); ++i) {
      low[i] = static_cast<double>(i);
      high[i] = low[i] + width;
      middle[i] = low[i] + width / 2;
    }
    SilentTicker ticker;
    const Tenths coded = grades(published_in_ranges(numbers, numbers, low, high), 0, ticker);
    const Tenths by_middle = tenths(numbers.data(), 300, middle.data(), 300);
    EXPECT_EQ(coded.values, 10);
    EXPECT_EQ(coded.original, by_middle.original);
    EXPECT_EQ(coded.masked, by_middle.masked);
  }
}

}  // namespace
}  // namespace anonkit
