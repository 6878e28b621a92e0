#include "base/byte_hash.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace anonkit {
namespace {

std::int64_t hash_of(const std::string& text, std::uint64_t seed) {
  return static_cast<std::int64_t>(hash_of_bytes(text.data(), text.size(), seed));
}

// PostgreSQL's hashtextextended(text, seed) on x86-64: releases have been ordered by it.
TEST(ByteHash, IsPostgresqlsOnMachinesWhoseLowestByteIsFirst) {
  constexpr std::uint64_t kLarge = 0x0123456789abcdef;
  EXPECT_EQ(hash_of("", 0), -6939563903564495251);
  EXPECT_EQ(hash_of("", kLarge), 5714803967801994901);
  EXPECT_EQ(hash_of("a", 1), 3325245193489759299);
  EXPECT_EQ(hash_of("abc", 0), -6747756470228489321);
  EXPECT_EQ(hash_of("abcd", kLarge), 5554817899650624818);
  EXPECT_EQ(hash_of("abcdefg", 1), 8893296306369806751);
  EXPECT_EQ(hash_of("abcdefgh", kLarge), -7862881634097074985);
  EXPECT_EQ(hash_of("abcdefghi", 0), -3278210106038014113);
  EXPECT_EQ(hash_of("abcdefghijk", 1), 8196382510784792041);
  EXPECT_EQ(hash_of("abcdefghijkl", kLarge), 7159717585609413365);
  EXPECT_EQ(hash_of("abcdefghijklm", 1), 3808842878744369845);
  EXPECT_EQ(hash_of("the quick brown fox jumps over the lazy dog", 0), -6494288192639172655);
}

TEST(ByteHash, ReadsBytesAtAnyAddress) {
  const std::string text = "the quick brown fox jumps over the lazy dog";
  for (std::size_t at = 0; at < 8; ++at) {
    const std::string moved = std::string(at, ' ') + text;
    EXPECT_EQ(hash_of_bytes(moved.data() + at, text.size(), 7),
              hash_of_bytes(text.data(), text.size(), 7));
  }
}

}  // namespace
}  // namespace anonkit
