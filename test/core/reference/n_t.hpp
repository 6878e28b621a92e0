#pragma once

// (n,t)-closeness straight from its definition: every distribution is counted afresh.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sensitive/sensitive_attribute.hpp"

namespace anonkit {

/// The attribute's levels: pairs of values, then one group.
inline std::vector<std::vector<std::int32_t>> pairs_of_values(std::int32_t m) {
  std::vector<std::vector<std::int32_t>> levels(2);
  for (std::int32_t v = 0; v < m; ++v) {
    levels[0].push_back(v / 2);
    levels[1].push_back(0);
  }
  return levels;
}

/// From the definition: the EMD between two sets of records over the values of all.
inline double plain_distance(const std::vector<std::int32_t>& codes, const std::vector<int>& part,
                             const std::vector<int>& whole, GroundDistance by) {
  const std::int32_t m = 1 + *std::max_element(codes.begin(), codes.end());
  const auto share = [&](const std::vector<int>& set, std::int32_t value) {
    return static_cast<double>(
               std::count_if(set.begin(), set.end(),
                             [&](int i) { return codes[static_cast<std::size_t>(i)] == value; })) /
           static_cast<double>(set.size());
  };
  double sum = 0, running = 0, pairs = 0;
  for (std::int32_t v = 0; v < m; ++v) {
    const double difference = share(part, v) - share(whole, v);
    running = (by == GroundDistance::ordered ? running : 0) + difference;
    sum += std::abs(running);
    if (v % 2 == 0) pairs += std::abs(difference + share(part, v + 1) - share(whole, v + 1));
  }
  if (by == GroundDistance::nominal) return sum / 2;
  // Each edge above a value has length 1/4: half the difference of height, over a height of 2.
  if (by == GroundDistance::hierarchical) return (sum + pairs) / 4;
  return m > 1 ? sum / (m - 1) : 0;
}

/// The greatest over the classes of the least distance to a superset of n records, or to all
/// records. The arguments give, by record, its class and its superset of each kind.
inline double plain_n_t(const std::vector<std::int32_t>& codes,
                        const std::vector<std::int32_t>& class_of,
                        const std::vector<std::vector<std::int32_t>>& superset_of, int n,
                        GroundDistance by) {
  double greatest = 0;
  const auto records = class_of.size();
  for (std::size_t c = 0; c < records; ++c) {
    std::vector<int> part, all;
    std::vector<std::vector<int>> in(superset_of.size());
    for (std::size_t i = 0; i < records; ++i) {
      all.push_back(static_cast<int>(i));
      if (class_of[i] == class_of[c]) part.push_back(static_cast<int>(i));
      for (std::size_t j = 0; j < superset_of.size(); ++j)
        if (superset_of[j][i] == superset_of[j][c]) in[j].push_back(static_cast<int>(i));
    }
    double least = plain_distance(codes, part, all, by);
    for (const auto& superset : in)
      if (static_cast<int>(superset.size()) >= n)
        least = std::min(least, plain_distance(codes, part, superset, by));
    greatest = std::max(greatest, least);
  }
  return greatest;
}

}  // namespace anonkit
