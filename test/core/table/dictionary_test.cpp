#include "table/dictionary.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace anonkit {
namespace {

TEST(Dictionary, GivesEqualTextsOneCodeAndNumbersThemAsTheyCome) {
  Dictionary dictionary;
  EXPECT_EQ(dictionary.code("b"), 0);
  EXPECT_EQ(dictionary.code("a"), 1);
  EXPECT_EQ(dictionary.code("b"), 0);
  EXPECT_EQ(dictionary.size(), 2);
  EXPECT_EQ(dictionary.text(1), "a");
  EXPECT_EQ(dictionary.find("a"), 1);
  EXPECT_EQ(dictionary.find("c"), -1) << "a text that is looked for is not added";
  EXPECT_EQ(dictionary.size(), 2);
}

/// Ends the work at its first poll.
class Cancel final : public Ticker {
 public:
  struct Cancelled {};

 protected:
  void poll() override { throw Cancelled(); }
};

TEST(Dictionary, IsAsItWasWhenSortingIsCancelled) {
  Dictionary dictionary;
  for (int i = 0; i < 20000; ++i) dictionary.code(std::to_string(i * 7919 % 20000));
  Cancel cancel;
  EXPECT_THROW(dictionary.sort(cancel), Cancel::Cancelled);
  for (int i = 0; i < 20000; ++i)
    ASSERT_EQ(dictionary.text(dictionary.find(std::to_string(i * 7919 % 20000))),
              std::to_string(i * 7919 % 20000));
  EXPECT_EQ(dictionary.text(1), "7919");
}

TEST(Dictionary, SortsByBytesAndSaysWhereEveryCodeWent) {
  const std::vector<std::string> texts = {"b", "\xc3\xa4",           "", "B", "ab",
                                          "a", std::string("a\0", 2)};
  Dictionary dictionary;
  for (const std::string& text : texts) dictionary.code(text);
  SilentTicker ticker;
  const std::vector<std::int32_t> new_code = dictionary.sort(ticker);
  for (std::int32_t code = 1; code < dictionary.size(); ++code)
    EXPECT_LT(dictionary.text(code - 1), dictionary.text(code));
  EXPECT_EQ(dictionary.text(dictionary.size() - 1), "\xc3\xa4") << "bytes are unsigned";
  for (std::size_t old = 0; old < texts.size(); ++old) {
    EXPECT_EQ(dictionary.text(new_code[old]), texts[old]);
    EXPECT_EQ(dictionary.code(texts[old]), new_code[old]) << "no category is added twice";
  }
}

TEST(Dictionary, SortedCodesDoNotDependOnTheOrderOfInsertion) {
  std::vector<std::string> texts = {"10", "9", "x", "", "\xff", "X", "xx"};
  std::sort(texts.begin(), texts.end());
  SilentTicker ticker;
  do {
    Dictionary dictionary;
    for (const std::string& text : texts) dictionary.code(text);
    dictionary.sort(ticker);
    ASSERT_EQ(dictionary.code("10"), 1);
    ASSERT_EQ(dictionary.code("X"), 3);
    ASSERT_EQ(dictionary.code("xx"), 5);
    ASSERT_EQ(dictionary.size(), 7);
  } while (std::next_permutation(texts.begin(), texts.end()));
}

TEST(Dictionary, HoldsManyCategoriesAndNone) {
  Dictionary dictionary;
  SilentTicker ticker;
  EXPECT_TRUE(dictionary.sort(ticker).empty());
  for (int i = 0; i < 20000; ++i) dictionary.code(std::to_string(i * 7919 % 20000));
  EXPECT_EQ(dictionary.size(), 20000);
  dictionary.sort(ticker);
  EXPECT_EQ(dictionary.code("0"), 0);
  EXPECT_EQ(dictionary.code("9999"), 19999);
}

}  // namespace
}  // namespace anonkit
