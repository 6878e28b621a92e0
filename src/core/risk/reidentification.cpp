#include "risk/reidentification.hpp"

#include <algorithm>

namespace anonkit {

Reidentification reidentification(const std::vector<std::int64_t>& sizes,
                                  const std::vector<std::int64_t>& crowds, double threshold) {
  Reidentification found;
  double records = 0;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    if (sizes[c] == 0) continue;
    const double risk = 1 / static_cast<double>(crowds[c]);
    const auto size = static_cast<double>(sizes[c]);
    records += size;
    found.largest = std::max(found.largest, risk);
    found.mean += size * risk;
    if (risk > threshold) found.above_threshold += size;
    if (crowds[c] == 1) ++found.uniques;
  }
  found.mean /= records;
  found.above_threshold /= records;
  return found;
}

}  // namespace anonkit
