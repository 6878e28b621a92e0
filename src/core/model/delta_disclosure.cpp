#include "model/delta_disclosure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/logarithm.hpp"
#include "base/ratio.hpp"

namespace anonkit {

Level delta_disclosure(const ClassHistogram& histogram, Ticker& ticker) {
  return greatest_level(histogram, ticker, [&](std::int32_t c) {
    if (histogram.entries(c).size() < histogram.values())
      return std::numeric_limits<double>::infinity();
    double most = 0;
    for (const ClassHistogram::Entry& entry : histogram.entries(c)) {
      const double times =
          ratio(static_cast<Wide>(entry.weight) * static_cast<Wide>(histogram.weight()),
                static_cast<Wide>(histogram.count(entry.value)) *
                    static_cast<Wide>(histogram.class_weight(c)));
      most = std::max(most, std::fabs(logarithm(times)));
    }
    return most;
  });
}

}  // namespace anonkit
