#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <string>

#include "table/table.hpp"

namespace anonkit {
namespace {

using To = Rounding::To;

/// The output of a decimal type with 15 significant digits.
std::string digits(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.15g", value);
  return text;
}

TEST(Rounding, IntegersAreWholeAndTiesGoToEven) {
  const Rounding integer{To::integer, 0};
  EXPECT_EQ(round_to(integer, 2.4), 2);
  EXPECT_EQ(round_to(integer, 2.5), 2);
  EXPECT_EQ(round_to(integer, 3.5), 4);
  EXPECT_EQ(round_to(integer, -7.6), -8);
  EXPECT_EQ(round_to(integer, 9007199254740993.0), 9007199254740992.0);
}

TEST(Rounding, DecimalsKeepTheDigitsOfTheirScale) {
  EXPECT_EQ(round_to({To::decimal, 2}, 1.005), 1.0) << "1.005 lies below the tie in binary";
  EXPECT_EQ(round_to({To::decimal, 2}, 2.346), 2.35);
  EXPECT_EQ(round_to({To::decimal, 0}, 1234.4), 1234);
  EXPECT_EQ(round_to({To::decimal, 20}, 1e-20), 1e-20);
}

TEST(Rounding, NegativeScalesRoundToTensAndHundreds) {
  EXPECT_EQ(round_to({To::decimal, -1}, 1234.4), 1230);
  EXPECT_EQ(round_to({To::decimal, -3}, 1501), 2000);
  EXPECT_EQ(round_to({To::decimal, -3}, -499), 0);
}

TEST(Rounding, DecimalsOfAnyScaleKeepFifteenDigits) {
  const Rounding any{To::decimal, kAnyScale};
  EXPECT_EQ(round_to(any, 0.1 + 0.2), 0.3);
  EXPECT_EQ(round_to(any, 1.0 / 3), 0.333333333333333);
  EXPECT_EQ(round_to(any, 123456789012345678.0), 123456789012346000.0);
}

TEST(Rounding, NumbersOfUpToFifteenDigitsHaveAUnit) {
  const auto unit = [](int digits) { return unit_of({Rounding::To::decimal, digits}); };
  EXPECT_EQ(unit(0), 1);
  EXPECT_EQ(unit(2), 0.01);
  EXPECT_EQ(unit(-3), 1000);
  EXPECT_EQ(unit(15), 1e-15);
  EXPECT_EQ(unit(-15), 1e15);
  for (const int digits : {16, -16, kAnyScale}) EXPECT_EQ(unit(digits), 0) << digits;
  EXPECT_EQ(unit_of({Rounding::To::integer, 7}), 1);
  EXPECT_EQ(unit_of({Rounding::To::single, 0}), 0);
}

TEST(Rounding, SinglesAreValuesOfTheFourByteType) {
  EXPECT_EQ(round_to({To::single, 0}, 0.1), static_cast<double>(0.1f));
  EXPECT_EQ(round_to({To::single, 0}, 16777217), 16777216);
}

TEST(Rounding, ThereIsNoNegativeZero) {
  for (const Rounding& rounding :
       {Rounding{To::none, 0}, Rounding{To::integer, 0}, Rounding{To::decimal, 2},
        Rounding{To::decimal, -2}, Rounding{To::decimal, kAnyScale}, Rounding{To::single, 0}}) {
    EXPECT_FALSE(std::signbit(round_to(rounding, -0.0)));
    if (rounding.to != To::none && rounding.digits != kAnyScale && rounding.to != To::single) {
      EXPECT_FALSE(std::signbit(round_to(rounding, -1e-9)));
    }
  }
}

TEST(Rounding, RoundedNumbersStayAsTheyAre) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 4000; ++round) {
    const double value = std::ldexp(static_cast<double>(random() >> 11) - 0x1p52,
                                    static_cast<int>(random() % 60) - 60);
    for (const Rounding& rounding :
         {Rounding{To::integer, 0}, Rounding{To::decimal, 3}, Rounding{To::decimal, -2},
          Rounding{To::decimal, kAnyScale}, Rounding{To::single, 0}}) {
      const double once = round_to(rounding, value);
      ASSERT_EQ(round_to(rounding, once), once) << static_cast<int>(rounding.to);
    }
  }
}

TEST(Rounding, DistinctDecimalsPrintDistinctly) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 4000; ++round) {
    const double value = std::ldexp(static_cast<double>(random() >> 11), -40);
    const double next = std::nextafter(value, 1e9);
    const Rounding rounding{To::decimal, round % 2 == 0 ? kAnyScale : 12};
    const double a = round_to(rounding, value), b = round_to(rounding, next);
    ASSERT_EQ(a == b, digits(a) == digits(b));
  }
}

TEST(BitsOfCell, AgreeForEqualCellsAlone) {
  EXPECT_EQ(bits_of_cell(-0.0), bits_of_cell(0.0));
  EXPECT_EQ(bits_of_cell(-kNull), bits_of_cell(std::nan("7")));
  EXPECT_NE(bits_of_cell(1), bits_of_cell(-1));
  EXPECT_NE(bits_of_cell(0), bits_of_cell(kNull));
}

}  // namespace
}  // namespace anonkit
