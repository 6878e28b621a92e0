#include "model/p_sensitivity.hpp"

#include <algorithm>

namespace anonkit {

Level p_sensitivity(const ClassHistogram& histogram, Ticker& ticker) {
  return least_level(histogram, ticker, [&](std::int32_t c) -> double {
    const std::int32_t distinct = histogram.entries(c).size();
    if (!histogram.has_units()) return distinct;
    return std::min(distinct, histogram.fewest_without_a_value(c) + 1);
  });
}

}  // namespace anonkit
