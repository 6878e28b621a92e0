#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/ticker.hpp"

namespace anonkit {

/// The categories of a column, numbered as they come. Texts are compared byte by byte, so that
/// codes do not depend on a collation.
class Dictionary {
 public:
  /// The code of a category, which is added if it is new. Amortised O(length).
  std::int32_t code(std::string_view text);

  /// The code of a category, or -1 if there is none of that text.
  std::int32_t find(std::string_view text) const;

  std::int32_t size() const { return static_cast<std::int32_t>(texts_.size()); }
  const std::string& text(std::int32_t code) const {
    return texts_[static_cast<std::size_t>(code)];
  }

  /// Numbers the categories anew in the order of their bytes; returns the new code of each old one.
  /// O(d log d) comparisons for d categories.
  std::vector<std::int32_t> sort(Ticker& ticker);

 private:
  /// Open addressing: one block of memory, which is freed at once when the work is cancelled.
  struct Slot {
    std::uint32_t hash;
    std::int32_t code;  ///< -1: free
  };

  /// The slot of a text, or the free one where it would be.
  std::size_t slot_of(std::string_view text, std::uint32_t hash) const;
  void index_texts(std::size_t slots);

  std::deque<std::string> texts_;  ///< by code; a deque, so that nobody's text moves
  std::vector<Slot> slots_;        ///< a power of 2 of them, a quarter free
};

}  // namespace anonkit
