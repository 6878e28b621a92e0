#include "risk/reidentification.hpp"

#include <algorithm>

namespace anonkit {

Reidentification summary_of_risks(const std::vector<std::int64_t>& sizes,
                                  const std::vector<double>& risks, double threshold) {
  Reidentification found;
  double records = 0;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    if (sizes[c] == 0) continue;
    const auto size = static_cast<double>(sizes[c]);
    records += size;
    found.largest = std::max(found.largest, risks[c]);
    found.mean += size * risks[c];
    if (risks[c] > threshold) found.above_threshold += size;
    if (risks[c] == 1) ++found.uniques;
  }
  found.mean /= records;
  found.above_threshold /= records;
  return found;
}

Reidentification reidentification(const std::vector<std::int64_t>& sizes,
                                  const std::vector<std::int64_t>& crowds, double threshold) {
  std::vector<double> risks;
  risks.reserve(crowds.size());
  for (const std::int64_t crowd : crowds) risks.push_back(1 / static_cast<double>(crowd));
  return summary_of_risks(sizes, risks, threshold);
}

}  // namespace anonkit
