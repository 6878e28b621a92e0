#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "model/row_classes.hpp"

namespace anonkit {

/// The classes of the rows by some attributes.
struct Grouping {
  std::vector<std::int32_t> class_of;
  std::int32_t classes;
};

/// Refines classes by one more attribute, by hashing. O(n) each time.
class Refinement {
 public:
  explicit Refinement(std::size_t rows) {
    std::size_t slots = 16;
    while (slots < 2 * rows) slots *= 2;
    slots_.resize(slots);
  }

  Grouping refine(const Grouping& from, const CodedColumn& column, Ticker& ticker) {
    std::fill(slots_.begin(), slots_.end(), Slot{0, -1});
    Grouping to = {std::vector<std::int32_t>(from.class_of.size()), 0};
    for (std::size_t row = 0; row < from.class_of.size(); ++row) {
      ticker.step(16);
      const std::uint64_t key = static_cast<std::uint64_t>(from.class_of[row]) *
                                    static_cast<std::uint64_t>(column.distinct) +
                                static_cast<std::uint64_t>(column.codes[row]);
      Slot& slot = slot_of(key);
      if (slot.number < 0) slot = {key, to.classes++};
      to.class_of[row] = slot.number;
    }
    return to;
  }

 private:
  struct Slot {
    std::uint64_t key;
    std::int32_t number;
  };

  Slot& slot_of(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = static_cast<std::size_t>((key * 0x9e3779b97f4a7c15u) >> 24) & mask;
    while (slots_[i].number >= 0 && slots_[i].key != key) i = (i + 1) & mask;
    return slots_[i];
  }

  std::vector<Slot> slots_;
};

}  // namespace anonkit
