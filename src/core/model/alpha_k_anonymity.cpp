#include "model/alpha_k_anonymity.hpp"

#include <algorithm>

namespace anonkit {

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
