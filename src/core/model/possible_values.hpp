#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"

namespace anonkit {

/// The places with the same classes in all versions. Ascending lists.
struct SharedHistory {
  std::vector<std::int32_t> classes;
  std::vector<std::int32_t> values;  ///< distinct values of the places
};

/// By history and by value of it: the number of values that a place of that history and value may
/// have, if each class publishes its values in unknown order. `values_of` holds the distinct values
/// of each class, ascending. Propagates to a fixpoint over classes. Memory is linear. A look at a
/// class takes O(h w), for h groups of places in it and w values of the smallest class of each.
std::vector<std::vector<std::int64_t>> count_possible_values(
    const std::vector<SharedHistory>& histories,
    const std::vector<std::vector<std::int32_t>>& values_of, Ticker& ticker);

}  // namespace anonkit
