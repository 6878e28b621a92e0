#include "model/counts.hpp"

#include <algorithm>

namespace anonkit {

Level k_anonymity(const ClassHistogram& histogram, Ticker& ticker) {
  return least_level(histogram, ticker,
                     [&](std::int32_t c) -> double { return histogram.class_size(c); });
}

Level p_sensitivity(const ClassHistogram& histogram, Ticker& ticker) {
  return least_level(histogram, ticker, [&](std::int32_t c) -> double {
    const std::int32_t distinct = histogram.entries(c).size();
    if (!histogram.has_units()) return distinct;
    return std::min(distinct, histogram.fewest_without_a_value(c) + 1);
  });
}

Level distinct_l_diversity(const ClassHistogram& histogram, Ticker& ticker) {
  return p_sensitivity(histogram, ticker);
}

Level alpha_k_anonymity(const ClassHistogram& histogram, Ticker& ticker) {
  return greatest_level(histogram, ticker, [&](std::int32_t c) {
    std::int32_t most = 0;
    for (const ClassHistogram::Entry& entry : histogram.entries(c)) {
      most = std::max(most, entry.count);
    }
    return static_cast<double>(most) / histogram.class_size(c);
  });
}

}  // namespace anonkit
