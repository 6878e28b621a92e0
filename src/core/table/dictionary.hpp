#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/ticker.hpp"

namespace anonkit {

/// The categories of a column, numbered in order of appearance. Texts are compared byte by byte, so
/// codes do not depend on a collation.
class Dictionary {
 public:
  /// Returns the code of a category and adds the category if it is new. Amortised O(length).
  std::int32_t code(std::string_view text);

  /// The code of a category, or -1 if the column lacks that text. Expected O(length).
  std::int32_t find(std::string_view text) const;

  std::int32_t size() const { return static_cast<std::int32_t>(texts_.size()); }
  const std::string& text(std::int32_t code) const {
    return texts_[static_cast<std::size_t>(code)];
  }

  /// A strict order of texts.
  using Less = bool (*)(std::string_view, std::string_view);

  /// Renumbers the categories in the order of their bytes, or by another order, and returns the new
  /// code of each old one. O(d log d) comparisons for d categories.
  std::vector<std::int32_t> sort(Ticker& ticker, Less less = by_bytes);

 private:
  /// Open addressing in one block of memory, which a cancel frees at once.
  struct Slot {
    std::uint32_t hash;
    std::int32_t code;  ///< -1: free
  };

  /// The slot of a text, or the free slot for it.
  std::size_t slot_of(std::string_view text, std::uint32_t hash) const;
  void index_texts(std::size_t slots);
  static bool by_bytes(std::string_view a, std::string_view b) { return a < b; }

  std::deque<std::string> texts_;  ///< by code; a deque, so that texts never move
  std::vector<Slot> slots_;        ///< a power of 2 of them, a quarter free
};

}  // namespace anonkit
