#include "model/p_sensitivity.hpp"

namespace anonkit {

Level p_sensitivity(const ClassHistogram& histogram, Ticker& ticker) {
  return least_level(histogram, ticker,
                     [&](std::int32_t c) -> double { return histogram.entries(c).size(); });
}

}  // namespace anonkit
