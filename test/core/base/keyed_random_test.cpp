#include "base/keyed_random.hpp"

#include <gtest/gtest.h>

namespace anonkit {
namespace {

TEST(KeyedRandom, IsTheBlockOfRfc8439) {
  // Section 2.3.2: key 00 01 .. 1f, counter 1, nonce 00 00 00 09 00 00 00 4a 00 00 00 00.
  std::uint8_t key[KeyedRandom::kKeyBytes];
  for (int i = 0; i < KeyedRandom::kKeyBytes; ++i) key[i] = static_cast<std::uint8_t>(i);
  const Words block = KeyedRandom(key).of({0x0900000000000001, 0x4a000000});
  EXPECT_EQ(block, (Words{0x15593bd1e4e7f110, 0xc47120a31fdd0f50}));
}

TEST(KeyedRandom, PublicKeysDifferByTheSeed) {
  EXPECT_EQ(public_key(1), public_key(1));
  EXPECT_NE(public_key(1), public_key(2));
}

}  // namespace
}  // namespace anonkit
