#include "base/byte_hash.hpp"

#include "base/byte_order.hpp"

namespace anonkit {
namespace {

using Word = std::uint32_t;

constexpr Word turned_left(Word x, int by) {
  return x << by | x >> (32 - by);
}

/// lookup3's three words of state, and its two ways of mixing them.
struct State {
  Word a;
  Word b;
  Word c;

  void mix() {
    step(a, c, b, 4);
    step(b, a, c, 6);
    step(c, b, a, 8);
    step(a, c, b, 16);
    step(b, a, c, 19);
    step(c, b, a, 4);
  }

  void finish() {
    last_step(c, b, 14);
    last_step(a, c, 11);
    last_step(b, a, 25);
    last_step(c, b, 16);
    last_step(a, c, 4);
    last_step(b, a, 14);
    last_step(c, b, 24);
  }

 private:
  static void step(Word& x, Word& y, const Word& z, int by) {
    x -= y;
    x ^= turned_left(y, by);
    y += z;
  }
  static void last_step(Word& x, const Word& y, int by) {
    x ^= y;
    x -= turned_left(y, by);
  }
};

/// The number that up to four bytes are, the lowest first.
Word rest_of(const std::uint8_t* bytes, std::size_t size) {
  Word word = 0;
  for (std::size_t i = 0; i < size; ++i) word |= Word{bytes[i]} << (8 * i);
  return word;
}

}  // namespace

std::uint64_t hash_of_bytes(const void* bytes, std::size_t size, std::uint64_t seed) {
  const auto* next = static_cast<const std::uint8_t*>(bytes);
  constexpr std::size_t kWord = sizeof(Word);
  const Word start = 0x9e3779b9 + static_cast<Word>(size) + 3923095;
  State state = {start, start, start};
  if (seed != 0) {
    state.a += static_cast<Word>(seed >> 32);
    state.b += static_cast<Word>(seed);
    state.mix();
  }
  for (; size >= 3 * kWord; size -= 3 * kWord, next += 3 * kWord) {
    state.a += number_of_bytes<Word>(next);
    state.b += number_of_bytes<Word>(next + kWord);
    state.c += number_of_bytes<Word>(next + 2 * kWord);
    state.mix();
  }
  // The lowest byte of the third word is left to the size.
  const auto part = [&](std::size_t from) {
    return size <= from ? 0 : rest_of(next + from, size - from < kWord ? size - from : kWord);
  };
  state.a += part(0);
  state.b += part(kWord);
  state.c += part(2 * kWord) << 8;
  state.finish();
  return static_cast<std::uint64_t>(state.b) << 32 | state.c;
}

}  // namespace anonkit
