#include "base/sha256.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/random.hpp"

namespace anonkit {
namespace {

std::string hex(const Sha256::Digest& digest) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string hash_of(const std::string& message) {
  Sha256 hash;
  hash.update(message.data(), message.size());
  return hex(hash.finish());
}

TEST(Sha256, IsThatOfTheStandardsExamples) {
  EXPECT_EQ(hash_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hash_of(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// RFC 4231, test cases 1, 2 and 6: the first byte of the message is the mark.
TEST(HmacSha256, IsThatOfTheRfcsExamples) {
  const auto hmac = [](const std::string& key, const std::string& message) {
    return hex(
        HmacSha256(key.data(), key.size())
            .of(static_cast<std::uint8_t>(message[0]), message.data() + 1, message.size() - 1));
  };
  EXPECT_EQ(hmac(std::string(20, '\x0b'), "Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hmac("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(
      hmac(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

// A message in pieces of any sizes has the hash of the whole: pieces end within and at blocks.
TEST(Sha256, DoesNotDependOnThePieces) {
  Random random(1);
  for (int round = 0; round < 3000; ++round) {
    std::string message(random.below(400), '\0');
    for (char& byte : message) byte = static_cast<char>(random.below(256));
    Sha256 hash;
    for (std::size_t at = 0; at < message.size();) {
      const std::size_t size = std::min(message.size() - at, std::size_t{random.below(150)});
      hash.update(message.data() + at, size);
      at += size;
    }
    EXPECT_EQ(hex(hash.finish()), hash_of(message));
  }
}

TEST(Sha256, TheProcessorsInstructionsAgreeWithTheStandard) {
  Random random(2);
  for (int round = 0; round < 3000; ++round) {
    Sha256::State plain;
    for (std::uint32_t& word : plain) word = static_cast<std::uint32_t>(random.below(1U << 31)) * 2;
    Sha256::State fast = plain;
    std::array<std::uint8_t, 3 * Sha256::kBlockBytes> bytes;
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.below(256));
    const std::size_t blocks = 1 + random.below(3);
    if (!sha256::compress_by_processor(fast, bytes.data(), blocks))
      GTEST_SKIP() << "this processor has no instructions for SHA-256";
    sha256::compress_portably(plain, bytes.data(), blocks);
    EXPECT_EQ(fast, plain);
  }
}

}  // namespace
}  // namespace anonkit
