#include "base/byte_order.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>

namespace anonkit {
namespace {

template <class Number>
std::string bytes_of(Number number) {
  std::string bytes(sizeof number, '?');
  write_bytes(number, bytes.data());
  return bytes;
}

TEST(ByteOrder, LowestByteIsFirstOnEveryMachine) {
  EXPECT_EQ(bytes_of(std::uint32_t{0x04030201}), "\x01\x02\x03\x04");
  EXPECT_EQ(bytes_of(std::int64_t{-2}), "\xfe\xff\xff\xff\xff\xff\xff\xff");
  EXPECT_EQ(number_of_bytes<std::uint32_t>("\x01\x02\x03\x04"), 0x04030201U);
  EXPECT_EQ(number_of_bytes<std::int64_t>("\xfe\xff\xff\xff\xff\xff\xff\xff"), -2);
}

TEST(ByteOrder, NumbersAreReadAsWritten) {
  for (const std::int64_t number :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{1} << 40,
        std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()})
    EXPECT_EQ(number_of_bytes<std::int64_t>(bytes_of(number).data()), number);
}

std::string reversed(std::string bytes, const std::array<int, 5>& widths) {
  reverse_numbers(bytes.data(), bytes.size(), widths.data());
  return bytes;
}

TEST(ByteOrder, EachNumberIsReversedInItsWidth) {
  EXPECT_EQ(reversed("abcdef", {2}), "badcfe");  // a numeric
  EXPECT_EQ(reversed("abcdefghijklmnop", {8, 4}),
            "hgfedcbalkjipon"
            "m");                                     // an interval
  EXPECT_EQ(reversed("abcdefg", {4, 1}), "dcbaefg");  // bits
  EXPECT_EQ(reversed("abcde", {2}), "badce");
  EXPECT_EQ(reversed("", {8}), "");
}

}  // namespace
}  // namespace anonkit
