#include "table/dictionary.hpp"

#include <algorithm>
#include <numeric>

namespace anonkit {

std::int32_t Dictionary::code(std::string_view text) {
  const auto found = codes_.find(text);
  if (found != codes_.end()) return found->second;
  const std::int32_t next = size();
  texts_.emplace_back(text);
  codes_.emplace(texts_.back(), next);
  return next;
}

std::int32_t Dictionary::find(std::string_view text) const {
  const auto found = codes_.find(text);
  return found != codes_.end() ? found->second : -1;
}

std::vector<std::int32_t> Dictionary::sort(Ticker& ticker) {
  constexpr std::int64_t kComparison = 100;  // nanoseconds: texts lie anywhere in memory
  std::vector<std::int32_t> old_codes(texts_.size());
  std::iota(old_codes.begin(), old_codes.end(), 0);
  std::sort(old_codes.begin(), old_codes.end(), [&](std::int32_t a, std::int32_t b) {
    ticker.step(kComparison);
    return text(a) < text(b);
  });

  std::vector<std::int32_t> new_code(texts_.size());
  std::deque<std::string> sorted;
  codes_.clear();
  for (const std::int32_t old : old_codes) {
    new_code[static_cast<std::size_t>(old)] = static_cast<std::int32_t>(sorted.size());
    sorted.push_back(std::move(texts_[static_cast<std::size_t>(old)]));
  }
  texts_ = std::move(sorted);
  for (std::int32_t code = 0; code < size(); ++code) codes_.emplace(text(code), code);
  return new_code;
}

}  // namespace anonkit
