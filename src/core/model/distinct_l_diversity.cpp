#include "model/distinct_l_diversity.hpp"

#include "model/p_sensitivity.hpp"

namespace anonkit {

Level distinct_l_diversity(const ClassHistogram& histogram, Ticker& ticker) {
  return p_sensitivity(histogram, ticker);
}

}  // namespace anonkit
