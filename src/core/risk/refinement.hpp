#pragma once

#include <cstdint>
#include <vector>

#include "base/at.hpp"
#include "base/ticker.hpp"
#include "model/row_classes.hpp"

namespace anonkit {

/// The classes of the rows by some attributes.
struct Grouping {
  std::vector<std::int32_t> class_of;
  std::int32_t classes;
};

/// Refines classes by one more attribute. Classes are numbered in the order of their first rows.
/// O(n) each time: a table of all pairs of a class and a code if that is not longer than a few
/// times the rows, else hashing.
class Refinement {
 public:
  Grouping refine(const Grouping& from, const CodedColumn& column, Ticker& ticker) {
    Grouping to;
    refine(
        from, column, ticker, [](std::size_t i) { return i; }, to);
    return to;
  }

  /// Refines the classes of some rows: row_of(i) is the i-th one of from.class_of. The result's
  /// memory is used again; it is another grouping than the first one.
  template <class RowOf>
  void refine(const Grouping& from, const CodedColumn& column, Ticker& ticker, const RowOf& row_of,
              Grouping& to) {
    to.class_of.resize(from.class_of.size());
    to.classes = 0;
    const std::size_t codes = at(column.distinct), keys = at(from.classes) * codes;
    const std::size_t slots = slots_for(from.class_of.size());
    const bool listed = keys <= slots;
    if (listed)
      numbers_.assign(keys, -1);
    else
      slots_.assign(slots, Slot{0, -1});
    for (std::size_t i = 0; i < from.class_of.size(); ++i) {
      ticker.step(listed ? 2 : 16);
      const std::size_t key = at(from.class_of[i]) * codes + at(column.codes[row_of(i)]);
      std::int32_t& number = listed ? numbers_[key] : number_of(key);
      if (number < 0) number = to.classes++;
      to.class_of[i] = number;
    }
  }

 private:
  struct Slot {
    std::uint64_t key;
    std::int32_t number;
  };

  static std::size_t slots_for(std::size_t rows) {
    std::size_t slots = 16;
    while (slots < 2 * rows) slots *= 2;
    return slots;
  }

  std::int32_t& number_of(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = static_cast<std::size_t>((key * 0x9e3779b97f4a7c15u) >> 24) & mask;
    while (slots_[i].number >= 0 && slots_[i].key != key) i = (i + 1) & mask;
    slots_[i].key = key;
    return slots_[i].number;
  }

  std::vector<std::int32_t> numbers_;
  std::vector<Slot> slots_;
};

}  // namespace anonkit
