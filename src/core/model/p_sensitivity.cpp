#include "model/p_sensitivity.hpp"

#include <algorithm>

namespace anonkit {

Level p_sensitivity(const ClassHistogram& histogram, Ticker& ticker) {
  return least_level(histogram, ticker, [&](std::int32_t c) -> double {
    return std::min(histogram.entries(c).size(), histogram.class_size(c));
  });
}

}  // namespace anonkit
