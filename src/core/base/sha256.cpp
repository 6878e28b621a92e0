#include "base/sha256.hpp"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#define ANONKIT_SHA_INSTRUCTIONS 1
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace anonkit {
namespace {

/// Section 4.2.2: the fractional parts of the cube roots of the first 64 primes.
alignas(16) constexpr std::array<std::uint32_t, 64> kRounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t turned_right(std::uint32_t word, int bits) {
  return word >> bits | word << (32 - bits);
}

/// The bytes of a number of the standard come from the highest to the lowest.
void write_word(std::uint8_t* bytes, std::uint32_t word) {
  for (int i = 3; i >= 0; --i, word >>= 8) bytes[i] = static_cast<std::uint8_t>(word & 0xff);
}

std::uint32_t read_word(const std::uint8_t* bytes) {
  std::uint32_t word = 0;
  for (int i = 0; i < 4; ++i) word = word << 8 | bytes[i];
  return word;
}

/// Section 6.2.2.
void compress_block(Sha256::State& state, const std::uint8_t* bytes) {
  std::array<std::uint32_t, 64> w;
  for (std::size_t t = 0; t < 16; ++t) w[t] = read_word(bytes + 4 * t);
  for (std::size_t t = 16; t < 64; ++t) {
    const std::uint32_t a = w[t - 15];
    const std::uint32_t b = w[t - 2];
    w[t] = w[t - 16] + (turned_right(a, 7) ^ turned_right(a, 18) ^ a >> 3) + w[t - 7] +
           (turned_right(b, 17) ^ turned_right(b, 19) ^ b >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t t = 0; t < 64; ++t) {
    const std::uint32_t first = h +
                                (turned_right(e, 6) ^ turned_right(e, 11) ^ turned_right(e, 25)) +
                                ((e & f) ^ (~e & g)) + kRounds[t] + w[t];
    const std::uint32_t second = (turned_right(a, 2) ^ turned_right(a, 13) ^ turned_right(a, 22)) +
                                 ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const Sha256::State changed = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += changed[i];
}

#ifdef ANONKIT_SHA_INSTRUCTIONS

bool has_instructions() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  constexpr unsigned kSsse3 = 1U << 9;
  constexpr unsigned kSse41 = 1U << 19;
  constexpr unsigned kSha = 1U << 29;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kSsse3) == 0 || (c & kSse41) == 0) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & kSha) != 0;
}

/// Four rounds an iteration, on the state as the instructions have it: the words A, B, E, F and
/// C, D, G, H. The last four words of the schedule follow from the sixteen before.
__attribute__((target("sha,sse4.1,ssse3"))) void compress_with_instructions(
    Sha256::State& state, const std::uint8_t* bytes, std::size_t blocks) {
  const auto at = [](const auto* from) { return reinterpret_cast<const __m128i*>(from); };
  const __m128i from_bytes = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128(at(state.data())), 0xb1);
  const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(at(state.data() + 4)), 0x1b);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
  for (; blocks > 0; --blocks, bytes += Sha256::kBlockBytes) {
    const __m128i abef_before = abef;
    const __m128i cdgh_before = cdgh;
    __m128i w[4];
    for (int i = 0; i < 4; ++i)
      w[i] = _mm_shuffle_epi8(_mm_loadu_si128(at(bytes + 16 * i)), from_bytes);
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) {
      const __m128i sum = _mm_add_epi32(w[i % 4], _mm_load_si128(at(kRounds.data() + 4 * i)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
      const __m128i last = w[(i + 3) % 4];
      const __m128i sigma0 = _mm_sha256msg1_epu32(w[i % 4], w[(i + 1) % 4]);
      const __m128i seventh = _mm_alignr_epi8(last, w[(i + 2) % 4], 4);
      w[i % 4] = _mm_sha256msg2_epu32(_mm_add_epi32(sigma0, seventh), last);
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data()), _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data() + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#endif

void compress(Sha256::State& state, const std::uint8_t* bytes, std::size_t blocks) {
  if (!sha256::compress_by_processor(state, bytes, blocks))
    sha256::compress_portably(state, bytes, blocks);
}

/// The key as a block, each byte combined with one of RFC 2104.
Sha256 begin_hmac(const std::uint8_t* block, std::uint8_t pad) {
  std::array<std::uint8_t, Sha256::kBlockBytes> padded;
  for (std::size_t i = 0; i < padded.size(); ++i)
    padded[i] = static_cast<std::uint8_t>(block[i] ^ pad);
  Sha256 hash;
  hash.update(padded.data(), padded.size());
  return hash;
}

}  // namespace

namespace sha256 {

void compress_portably(Sha256::State& state, const std::uint8_t* bytes, std::size_t blocks) {
  for (; blocks > 0; --blocks, bytes += Sha256::kBlockBytes) compress_block(state, bytes);
}

bool compress_by_processor(Sha256::State& state, const std::uint8_t* bytes, std::size_t blocks) {
#ifdef ANONKIT_SHA_INSTRUCTIONS
  static const bool has = has_instructions();
  if (has) compress_with_instructions(state, bytes, blocks);
  return has;
#else
  static_cast<void>(state);
  static_cast<void>(bytes);
  static_cast<void>(blocks);
  return false;
#endif
}

}  // namespace sha256

void Sha256::update(const void* bytes, std::size_t size) {
  const auto* next = static_cast<const std::uint8_t*>(bytes);
  const std::size_t filled = size_ % kBlockBytes;
  size_ += size;
  if (filled > 0) {
    const std::size_t taken = std::min(size, kBlockBytes - filled);
    std::copy_n(next, taken, block_.data() + filled);
    if (filled + taken < kBlockBytes) return;
    compress(state_, block_.data(), 1);
    next += taken;
    size -= taken;
  }
  if (size >= kBlockBytes) compress(state_, next, size / kBlockBytes);
  std::copy_n(next + size / kBlockBytes * kBlockBytes, size % kBlockBytes, block_.data());
}

Sha256::Digest Sha256::finish() {
  // Section 5.1.1: a bit, zeros, and the number of bits.
  constexpr std::size_t kSizeBytes = 8;
  std::size_t filled = size_ % kBlockBytes;
  block_[filled++] = 0x80;
  if (filled > kBlockBytes - kSizeBytes) {
    std::fill(block_.begin() + static_cast<std::ptrdiff_t>(filled), block_.end(), 0);
    compress(state_, block_.data(), 1);
    filled = 0;
  }
  std::fill(block_.begin() + static_cast<std::ptrdiff_t>(filled), block_.end(), 0);
  const std::uint64_t bits = 8 * size_;
  write_word(block_.data() + kBlockBytes - kSizeBytes, static_cast<std::uint32_t>(bits >> 32));
  write_word(block_.data() + kBlockBytes - 4, static_cast<std::uint32_t>(bits & 0xffffffff));
  compress(state_, block_.data(), 1);
  Digest digest;
  for (std::size_t i = 0; i < state_.size(); ++i) write_word(digest.data() + 4 * i, state_[i]);
  return digest;
}

HmacSha256::HmacSha256(const void* key, std::size_t size) {
  std::array<std::uint8_t, Sha256::kBlockBytes> block = {};
  if (size > block.size()) {
    Sha256 hash;
    hash.update(key, size);
    const Sha256::Digest digest = hash.finish();
    std::copy(digest.begin(), digest.end(), block.begin());
  } else {
    std::copy_n(static_cast<const std::uint8_t*>(key), size, block.begin());
  }
  inner_ = begin_hmac(block.data(), 0x36);
  outer_ = begin_hmac(block.data(), 0x5c);
}

Sha256::Digest HmacSha256::of(std::uint8_t mark, const void* bytes, std::size_t size) const {
  Sha256 inner = inner_;
  inner.update(&mark, sizeof mark);
  inner.update(bytes, size);
  const Sha256::Digest digest = inner.finish();
  Sha256 outer = outer_;
  outer.update(digest.data(), digest.size());
  return outer.finish();
}

}  // namespace anonkit
