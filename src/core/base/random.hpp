#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace anonkit {

/// A bijection on 64 bits that scrambles all patterns: the finaliser of splitmix64 (Steele, Lea and
/// Flood 2014).
constexpr std::uint64_t mix(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31);
}

/// The uniform number in [0, 1) that the first 53 bits of a hash are.
constexpr double share_of(std::uint64_t hash) {
  return static_cast<double>(hash >> 11) / static_cast<double>(std::uint64_t{1} << 53);
}

/// A pseudorandom generator with identical output on every machine: xoshiro256** by Blackman and
/// Vigna (2018), seeded by splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) word = splitmix(seed);
  }

  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  /// A uniform number in 0 .. bound-1; the bias is below bound/2^32.
  std::uint32_t below(std::uint32_t bound) { return scale(next() >> 32, bound); }

  /// Maps 32 random bits to 0 .. bound-1, for callers that split one draw among several choices.
  static std::uint32_t scale(std::uint64_t bits32, std::uint32_t bound) {
    return static_cast<std::uint32_t>((bits32 * bound) >> 32);
  }

 private:
  static std::uint64_t rotate(std::uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

  static std::uint64_t splitmix(std::uint64_t& seed) { return mix(seed += 0x9e3779b97f4a7c15U); }

  std::uint64_t state_[4];
};

/// Orders the items at random: Fisher and Yates' shuffle.
template <class Item>
void shuffle(std::vector<Item>& items, Random& random) {
  for (std::size_t left = items.size(); left > 1; --left)
    std::swap(items[left - 1], items[random.below(static_cast<std::uint32_t>(left))]);
}

}  // namespace anonkit
