#include "table/label_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "table/dictionary.hpp"

namespace anonkit {
namespace {

using Numbers = std::vector<double>;
using Labels = std::vector<std::string>;

TEST(LabelOrder, FindsTheNumbersOfALabel) {
  EXPECT_EQ(numbers_of_label("[10-20)"), Numbers({10, 20}));
  EXPECT_EQ(numbers_of_label("[-10,-5)"), Numbers({-10, -5}));
  EXPECT_EQ(numbers_of_label("18 - 24"), Numbers({18, 24}));
  EXPECT_EQ(numbers_of_label("65+"), Numbers({65}));
  EXPECT_EQ(numbers_of_label("1.5 to 2.25."), Numbers({1.5, 2.25}));
  EXPECT_EQ(numbers_of_label("1.2.3"), Numbers({1.2, 3}));
  EXPECT_EQ(numbers_of_label("7."), Numbers({7}));
  EXPECT_EQ(numbers_of_label(".5"), Numbers({5}));
  EXPECT_EQ(numbers_of_label("1..5"), Numbers({1, 5}));
  EXPECT_EQ(numbers_of_label("-"), Numbers());
  EXPECT_EQ(numbers_of_label(""), Numbers());
}

Labels in_order(Labels labels) {
  std::sort(labels.begin(), labels.end(), precedes_by_numbers);
  return labels;
}

TEST(LabelOrder, OrdersClassesAsPeopleRead) {
  EXPECT_EQ(in_order({"65+", "18-24", "<18", "25-34", "5-9", "100+"}),
            Labels({"5-9", "<18", "18-24", "25-34", "65+", "100+"}));
  EXPECT_EQ(in_order({"[0,10)", "[-10,0)", "[10,20)", ">=20"}),
            Labels({"[-10,0)", "[0,10)", "[10,20)", ">=20"}));
  EXPECT_EQ(in_order({"grade 10", "grade 9", "grade 1"}),
            Labels({"grade 1", "grade 9", "grade 10"}));
}

/// Intervals in every common spelling, from low to high.
Labels random_intervals(std::mt19937& random) {
  Labels labels;
  int low = static_cast<int>(random() % 40) - 20;
  const auto spelling = random() % 4;
  for (int i = 0; i < 12; ++i) {
    const int high = low + 1 + static_cast<int>(random() % 9);
    const std::string a = std::to_string(low);
    const std::string b = std::to_string(high);
    labels.push_back(spelling == 0   ? "[" + a + "," + b + ")"
                     : spelling == 1 ? a + " - " + b
                     : spelling == 2 ? "from " + a + " to " + b
                                     : "class " + a);
    low = high;
  }
  return labels;
}

TEST(LabelOrder, OrdersIntervalsByTheirEnds) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const Labels labels = random_intervals(random);
    Labels shuffled = labels;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    EXPECT_EQ(in_order(shuffled), labels);
  }
}

std::string random_text(std::mt19937& random) {
  static constexpr char kLetters[] = "<-.,01 9a";
  std::string text;
  for (auto length = random() % 6; length > 0; --length)
    text += kLetters[random() % (sizeof kLetters - 1)];
  return text;
}

TEST(LabelOrder, IsAStrictOrderOfAllTexts) {
  std::mt19937 random(2);
  for (int round = 0; round < 20000; ++round) {
    const std::string a = random_text(random);
    const std::string b = random_text(random);
    const std::string c = random_text(random);
    EXPECT_EQ(precedes_by_numbers(a, b) || precedes_by_numbers(b, a), a != b) << a << "|" << b;
    EXPECT_FALSE(precedes_by_numbers(a, b) && precedes_by_numbers(b, a)) << a << "|" << b;
    if (precedes_by_numbers(a, b) && precedes_by_numbers(b, c)) {
      EXPECT_TRUE(precedes_by_numbers(a, c)) << a << "|" << b << "|" << c;
    }
  }
}

TEST(LabelOrder, OfEqualFirstNumbersTheSecondDecides) {
  EXPECT_TRUE(precedes_by_numbers("1 to 9", "1 to 10"));
  EXPECT_FALSE(precedes_by_numbers("1 to 10", "1 to 9"));
  EXPECT_TRUE(precedes_by_numbers("2 of 3 of 20", "2 of 3 of 100"));
}

TEST(LabelOrder, NumbersADictionary) {
  SilentTicker ticker;
  Dictionary dictionary;
  for (const char* label : {"10-20", "5-10", "0-5"}) dictionary.code(label);
  EXPECT_EQ(dictionary.sort(ticker, precedes_by_numbers), std::vector<std::int32_t>({2, 1, 0}));
  EXPECT_EQ(dictionary.text(0), "0-5");
  EXPECT_EQ(dictionary.find("10-20"), 2);
}

}  // namespace
}  // namespace anonkit
