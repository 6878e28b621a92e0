#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/at.hpp"
#include "base/ticker.hpp"

namespace anonkit {

/// One list of several, as a range.
struct NumberRange {
  const std::int32_t* first;
  const std::int32_t* last;

  const std::int32_t* begin() const { return first; }
  const std::int32_t* end() const { return last; }
  std::size_t size() const { return static_cast<std::size_t>(last - first); }
};

/// Lists of numbers, one after another in one piece of memory: after a cancel, pieces are freed one
/// by one, and millions of lists are possible.
struct NumberLists {
  std::vector<std::int32_t> items;
  std::vector<std::size_t> first = {0};

  std::size_t size() const { return first.size() - 1; }
  NumberRange operator[](std::size_t list) const {
    return {items.data() + first[list], items.data() + first[list + 1]};
  }

  /// Ends a list, which has the items behind the list before.
  void close() { first.push_back(items.size()); }
};

/// By number below `numbers`, the lists that have it, ascending.
inline NumberLists transpose(const NumberLists& lists, std::size_t numbers, Ticker& ticker) {
  NumberLists having;
  having.first.assign(numbers + 1, 0);
  for (const std::int32_t number : lists.items) {
    ticker.step(4);
    ++having.first[at(number)];
  }
  std::partial_sum(having.first.begin(), having.first.end(), having.first.begin());
  having.items.resize(lists.items.size());
  for (std::size_t list = lists.size(); list-- > 0;)
    for (const std::int32_t number : lists[list]) {
      ticker.step(8);
      having.items[--having.first[at(number)]] = static_cast<std::int32_t>(list);
    }
  return having;
}

}  // namespace anonkit
