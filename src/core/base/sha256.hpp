#pragma once

// SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104) of short messages, without an allocation, a lock
// or a look-up for each message. Libraries of cryptography need several of these: in a refresh of a
// release over time they took longer than the hashes.
//
//   Sha256 hash;
//   hash.update(bytes, size);
//   Sha256::Digest digest = hash.finish();

#include <array>
#include <cstddef>
#include <cstdint>

namespace anonkit {

/// A hash in the making: a copy continues from the same bytes.
class Sha256 {
 public:
  static constexpr std::size_t kBlockBytes = 64;
  using Digest = std::array<std::uint8_t, 32>;
  using State = std::array<std::uint32_t, 8>;

  void update(const void* bytes, std::size_t size);
  /// The hash of all bytes so far.
  Digest finish();

 private:
  State state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, kBlockBytes> block_ = {};  ///< the bytes that fill no block yet
  std::uint64_t size_ = 0;
};

/// HMACs under a key, which it reads once.
class HmacSha256 {
 public:
  HmacSha256() = default;  ///< to be replaced: no key
  HmacSha256(const void* key, std::size_t size);
  /// HMAC of a byte, which names the kind of the message, and the message behind it.
  Sha256::Digest of(std::uint8_t mark, const void* bytes, std::size_t size) const;

 private:
  Sha256 inner_;
  Sha256 outer_;
};

namespace sha256 {

/// Takes whole blocks into a state: as the standard describes it, and by the processor's
/// instructions for it. The latter returns false on a processor without them.
void compress_portably(Sha256::State& state, const std::uint8_t* bytes, std::size_t blocks);
bool compress_by_processor(Sha256::State& state, const std::uint8_t* bytes, std::size_t blocks);

}  // namespace sha256
}  // namespace anonkit
