#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace anonkit {

/// The columns in which a record is null: bit j%64 of word j/64 stands for column j. All patterns
/// of a table have the same number of words.
using NullPattern = std::vector<std::uint64_t>;

inline NullPattern no_nulls(std::size_t columns) {
  return NullPattern((columns + 63) / 64, 0);
}

inline void set_null(NullPattern& pattern, std::size_t column) {
  pattern[column / 64] |= std::uint64_t{1} << column % 64;
}

inline bool has_null(const NullPattern& pattern, std::size_t column) {
  return (pattern[column / 64] >> column % 64 & 1) != 0;
}

inline std::int64_t null_count(const NullPattern& pattern) {
  std::int64_t count = 0;
  for (const std::uint64_t word : pattern)
    count += static_cast<std::int64_t>(std::bitset<64>(word).count());
  return count;
}

/// True if `pattern` has all the nulls of `other`: a record may move from `other` to it.
inline bool covers(const NullPattern& pattern, const NullPattern& other) {
  for (std::size_t word = 0; word < pattern.size(); ++word)
    if ((other[word] & ~pattern[word]) != 0) return false;
  return true;
}

inline NullPattern united(NullPattern pattern, const NullPattern& other) {
  for (std::size_t word = 0; word < pattern.size(); ++word) pattern[word] |= other[word];
  return pattern;
}

/// Orders patterns by their number of nulls, then by their bits.
struct FewerNulls {
  bool operator()(const NullPattern& a, const NullPattern& b) const {
    const std::int64_t x = null_count(a), y = null_count(b);
    return x != y ? x < y : a < b;
  }
};

}  // namespace anonkit
