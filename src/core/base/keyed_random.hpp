#pragma once

#include <array>
#include <cstdint>

namespace anonkit {

/// 128 bits.
using Words = std::array<std::uint64_t, 2>;

/// A function of 128 bits that nobody can tell from a random one without its key of 32 bytes: the
/// block function of ChaCha20 (Bernstein 2008; RFC 8439, section 2.3), with the input in the place
/// of counter and nonce. The same on every machine.
class KeyedRandom {
 public:
  static constexpr int kKeyBytes = 32;

  explicit KeyedRandom(const std::uint8_t* key);

  /// The first 128 bits of the block.
  Words of(const Words& input) const;

 private:
  std::array<std::uint32_t, 8> key_;
};

/// A key that everybody can compute who knows the seed, for runs that shall be repeated.
std::array<std::uint8_t, KeyedRandom::kKeyBytes> public_key(std::uint64_t seed);

}  // namespace anonkit
