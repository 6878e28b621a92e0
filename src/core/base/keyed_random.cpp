#include "base/keyed_random.hpp"

#include "base/random.hpp"

namespace anonkit {
namespace {

using Block = std::array<std::uint32_t, 16>;

constexpr std::uint32_t rotated(std::uint32_t x, int by) {
  return (x << by) | (x >> (32 - by));
}

void quarter_round(Block& block, std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
  block[d] = rotated(block[d] ^ (block[a] += block[b]), 16);
  block[b] = rotated(block[b] ^ (block[c] += block[d]), 12);
  block[d] = rotated(block[d] ^ (block[a] += block[b]), 8);
  block[b] = rotated(block[b] ^ (block[c] += block[d]), 7);
}

std::uint64_t joined_words(std::uint32_t low, std::uint32_t high) {
  return low | (std::uint64_t{high} << 32);
}

}  // namespace

KeyedRandom::KeyedRandom(const std::uint8_t* key) : key_() {
  for (std::size_t i = 0; i < kKeyBytes; ++i) key_[i / 4] |= std::uint32_t{key[i]} << (8 * (i % 4));
}

Words KeyedRandom::of(const Words& input) const {
  Block start{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};  // "expand 32-byte k"
  for (std::size_t i = 0; i < key_.size(); ++i) start[4 + i] = key_[i];
  for (std::size_t i = 0; i < 4; ++i)
    start[12 + i] = static_cast<std::uint32_t>(input[i / 2] >> (32 * (i % 2)));
  Block block = start;
  for (int rounds = 0; rounds < 10; ++rounds) {
    for (std::size_t i = 0; i < 4; ++i) quarter_round(block, i, 4 + i, 8 + i, 12 + i);
    for (std::size_t i = 0; i < 4; ++i)
      quarter_round(block, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
  }
  return {joined_words(block[0] + start[0], block[1] + start[1]),
          joined_words(block[2] + start[2], block[3] + start[3])};
}

std::array<std::uint8_t, KeyedRandom::kKeyBytes> public_key(std::uint64_t seed) {
  std::array<std::uint8_t, KeyedRandom::kKeyBytes> key{};
  Random random(seed);
  for (std::uint8_t& byte : key) byte = static_cast<std::uint8_t>(random.next() >> 56);
  return key;
}

}  // namespace anonkit
