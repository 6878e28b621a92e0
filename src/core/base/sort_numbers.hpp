#pragma once

#include <algorithm>
#include <vector>

#include "base/ticker.hpp"

namespace anonkit {

/// Sorts numbers, and can be cancelled meanwhile.
template <class Number>
void sort_numbers(std::vector<Number>& numbers, Ticker& ticker) {
  std::sort(numbers.begin(), numbers.end(), [&](Number a, Number b) {
    ticker.step(2);
    return a < b;
  });
}

}  // namespace anonkit
