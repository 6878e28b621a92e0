#pragma once

#include <cstdint>
#include <vector>

#include "table/hierarchy.hpp"

namespace anonkit {

/// The packed quasi-identifiers of a record or a class: one group number per attribute.
__extension__ using CellKey = unsigned __int128;

/// The bit positions of the attributes in a key. An attribute has one code more than values: a
/// singly suppressed cell.
class CellLayout {
 public:
  /// Throws invalid_parameter if the attributes together need more than 128 bits.
  explicit CellLayout(const std::vector<const Hierarchy*>& hierarchies);

  std::size_t attributes() const { return shift_.size(); }
  std::int32_t group(CellKey key, std::size_t j) const {
    return static_cast<std::int32_t>(key >> shift_[j]) & mask_[j];
  }
  CellKey cell(std::size_t j, std::int32_t group) const {
    return static_cast<CellKey>(static_cast<std::uint32_t>(group)) << shift_[j];
  }
  CellKey with(CellKey key, std::size_t j, std::int32_t group) const {
    return (key & ~cell(j, mask_[j])) | cell(j, group);
  }
  /// The code of a suppressed cell.
  std::int32_t star(std::size_t j) const { return mask_[j]; }
  bool starred(CellKey key, std::size_t j) const { return group(key, j) == mask_[j]; }

 private:
  std::vector<int> shift_;
  std::vector<std::int32_t> mask_;
};

/// Numbers keys from 0 in order of appearance, by an open-addressing table.
class KeyIndex {
 public:
  /// Discards all keys and allocates room for `most` keys.
  void begin(std::size_t most);
  /// The number of a key. The key is new if the number equals keys().size() before the call.
  std::int32_t number(CellKey key);
  /// The number of a key, or -1.
  std::int32_t find(CellKey key) const;
  const std::vector<CellKey>& keys() const { return keys_; }
  /// Moves the keys out; the index must begin() anew.
  std::vector<CellKey> take() { return std::move(keys_); }

 private:
  std::size_t slot_of(CellKey key) const;

  std::vector<std::int32_t> slots_;  ///< number + 1, or 0
  std::vector<CellKey> keys_;
  int shift_ = 63;
};

}  // namespace anonkit
