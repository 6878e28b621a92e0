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

/// By history and by value of it: the number of values that may be possible for a place of that
/// history and value, if each class publishes its values in unknown order. An upper bound: it is
/// NP-hard to tell if one more value is possible. Subtracts classes from those that they are in
/// (nested_classes.hpp), and propagates to a fixpoint over the classes left. So it is exact if all
/// classes are nested or disjoint. Memory is linear. A look at a class takes O(h w), for h groups
/// of places in it and w values of the smallest class of each.
std::vector<std::vector<std::int64_t>> count_possible_values(
    const std::vector<SharedHistory>& histories, Ticker& ticker);

}  // namespace anonkit
