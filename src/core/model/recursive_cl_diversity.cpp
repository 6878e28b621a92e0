#include "model/recursive_cl_diversity.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "base/error.hpp"

namespace anonkit {
namespace {

/// r_1 / (r_l + ... + r_m) of one class; rearranges its counts.
double least_c(std::vector<std::int32_t>& counts, std::int32_t l) {
  if (counts.size() < static_cast<std::size_t>(l)) return std::numeric_limits<double>::infinity();
  const auto r_l = counts.begin() + (l - 1);
  std::nth_element(counts.begin(), r_l, counts.end(), std::greater<>());
  const double r_1 = *std::max_element(counts.begin(), r_l + 1);
  return r_1 / std::accumulate(r_l, counts.end(), 0.0);
}

}  // namespace

Level recursive_cl_diversity(const ClassHistogram& histogram, std::int32_t l, Ticker& ticker) {
  if (l < 1) throw Error(ErrorKind::invalid_parameter, "l must be at least 1");
  std::vector<std::int32_t> counts;
  return greatest_level(histogram, ticker, [&](std::int32_t c) {
    counts.clear();
    for (const ClassHistogram::Entry& entry : histogram.entries(c)) counts.push_back(entry.count);
    return histogram.fewest_without_a_value(c) < l - 1 ? std::numeric_limits<double>::infinity()
                                                       : least_c(counts, l);
  });
}

}  // namespace anonkit
