#include "table/dictionary.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace anonkit {

namespace {

std::uint32_t hash_of(std::string_view text) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>()(text));
}

}  // namespace

std::size_t Dictionary::slot_of(std::string_view text, std::uint32_t hash) const {
  std::size_t slot = hash & (slots_.size() - 1);
  while (slots_[slot].code >= 0 &&
         (slots_[slot].hash != hash || this->text(slots_[slot].code) != text))
    slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

void Dictionary::index_texts(std::size_t slots) {
  slots_.assign(slots, {0, -1});
  for (std::int32_t code = 0; code < size(); ++code) {
    const std::uint32_t hash = hash_of(text(code));
    std::size_t slot = hash & (slots - 1);
    while (slots_[slot].code >= 0) slot = (slot + 1) & (slots - 1);
    slots_[slot] = {hash, code};
  }
}

std::int32_t Dictionary::code(std::string_view text) {
  constexpr std::size_t kFirstSlots = 16;
  if (slots_.empty()) index_texts(kFirstSlots);
  if (4 * (texts_.size() + 1) > 3 * slots_.size()) index_texts(2 * slots_.size());
  const std::uint32_t hash = hash_of(text);
  Slot& slot = slots_[slot_of(text, hash)];
  if (slot.code < 0) {
    texts_.emplace_back(text);
    slot = {hash, size() - 1};
  }
  return slot.code;
}

std::int32_t Dictionary::find(std::string_view text) const {
  return slots_.empty() ? -1 : slots_[slot_of(text, hash_of(text))].code;
}

std::vector<std::int32_t> Dictionary::sort(Ticker& ticker, Less less) {
  constexpr std::int64_t kComparison = 100;  // nanoseconds: texts lie at random in memory
  std::vector<std::int32_t> old_codes(texts_.size());
  std::iota(old_codes.begin(), old_codes.end(), 0);
  std::sort(old_codes.begin(), old_codes.end(), [&](std::int32_t a, std::int32_t b) {
    ticker.step(kComparison);
    return less(text(a), text(b));
  });

  std::vector<std::int32_t> new_code(texts_.size());
  std::deque<std::string> sorted;
  for (const std::int32_t old : old_codes) {
    new_code[static_cast<std::size_t>(old)] = static_cast<std::int32_t>(sorted.size());
    sorted.push_back(std::move(texts_[static_cast<std::size_t>(old)]));
  }
  texts_ = std::move(sorted);
  index_texts(slots_.size());
  return new_code;
}

}  // namespace anonkit
