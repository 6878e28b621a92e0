#include "method/full_domain/cell_key.hpp"

#include <string>

#include "base/error.hpp"

namespace anonkit {

CellLayout::CellLayout(const std::vector<const Hierarchy*>& hierarchies) {
  int used = 0;
  for (const Hierarchy* hierarchy : hierarchies) {
    int width = 1;
    while ((std::int64_t{1} << width) <= hierarchy->values()) ++width;
    shift_.push_back(used);
    mask_.push_back(static_cast<std::int32_t>((std::int64_t{1} << width) - 1));
    used += width;
  }
  if (used > 128)
    throw Error(ErrorKind::invalid_parameter,
                "the quasi-identifiers have too many values for full-domain generalisation",
                "Together they need " + std::to_string(used) + " bits, of 128.",
                "Use fewer quasi-identifiers, or coarser values, in a view.");
}

void KeyIndex::begin(std::size_t most) {
  int bits = 4;
  while ((std::size_t{1} << bits) < 2 * most) ++bits;
  shift_ = 64 - bits;
  slots_.assign(std::size_t{1} << bits, 0);
  keys_.clear();
}

// Multiplicative hashing. The order of arrival, not the slot, decides a key's number.
std::size_t KeyIndex::slot_of(CellKey key) const {
  const auto low = static_cast<std::uint64_t>(key), high = static_cast<std::uint64_t>(key >> 64);
  std::uint64_t h = low * 0x9e3779b97f4a7c15u + high * 0xc2b2ae3d27d4eb4fu;
  h ^= h >> 32;
  return static_cast<std::size_t>((h * 0xd6e8feb86659fd93u) >> shift_);
}

std::int32_t KeyIndex::number(CellKey key) {
  std::size_t slot = slot_of(key);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const std::int32_t number = slots_[slot] - 1;
    if (keys_[static_cast<std::size_t>(number)] == key) return number;
  }
  keys_.push_back(key);
  slots_[slot] = static_cast<std::int32_t>(keys_.size());
  return slots_[slot] - 1;
}

std::int32_t KeyIndex::find(CellKey key) const {
  for (std::size_t slot = slot_of(key); slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1))
    if (keys_[static_cast<std::size_t>(slots_[slot] - 1)] == key) return slots_[slot] - 1;
  return -1;
}

}  // namespace anonkit
