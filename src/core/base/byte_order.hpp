#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace anonkit {

/// True where the lowest byte of a number comes first in memory. Numbers that are stored, or enter
/// a hash that decides something, have that order on every machine: a dump from one machine is
/// restored on another.
constexpr bool kLowestByteFirst = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

/// The number that bytes are, the lowest first.
template <class Number>
Number number_of_bytes(const void* bytes) {
  using Word = std::make_unsigned_t<Number>;
  Word word = 0;
  if (kLowestByteFirst) {
    std::memcpy(&word, bytes, sizeof word);
  } else {
    const auto* byte = static_cast<const std::uint8_t*>(bytes);
    for (std::size_t i = sizeof word; i > 0; --i) word = word << 8 | byte[i - 1];
  }
  return static_cast<Number>(word);
}

/// Writes a number to bytes, the lowest first.
template <class Number>
void write_bytes(Number number, void* bytes) {
  auto word = static_cast<std::make_unsigned_t<Number>>(number);
  auto* byte = static_cast<std::uint8_t*>(bytes);
  for (std::size_t i = 0; i < sizeof word; ++i, word >>= 8)
    byte[i] = static_cast<std::uint8_t>(word & 0xff);
}

/// Reverses the bytes of each number among `size` bytes. The numbers have these widths in turn, up
/// to a width of 0; the last width repeats.
inline void reverse_numbers(void* bytes, std::size_t size, const int* widths) {
  auto* from = static_cast<std::uint8_t*>(bytes);
  for (std::size_t done = 0, width; done < size; done += width) {
    width = static_cast<std::size_t>(*widths);
    if (width > size - done) return;
    for (std::size_t i = 0; i < width / 2; ++i) {
      const std::uint8_t byte = from[done + i];
      from[done + i] = from[done + width - 1 - i];
      from[done + width - 1 - i] = byte;
    }
    if (widths[1] > 0) ++widths;
  }
}

}  // namespace anonkit
