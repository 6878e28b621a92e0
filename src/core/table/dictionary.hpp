#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
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
  std::deque<std::string> texts_;  ///< by code; a deque, so that the map's keys stay in place
  std::unordered_map<std::string_view, std::int32_t> codes_;
};

}  // namespace anonkit
