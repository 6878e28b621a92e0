#include "model/k_anonymity.hpp"

namespace anonkit {

Level k_anonymity(const ClassHistogram& histogram, Ticker& ticker) {
  return least_level(histogram, ticker,
                     [&](std::int32_t c) -> double { return histogram.class_size(c); });
}

}  // namespace anonkit
