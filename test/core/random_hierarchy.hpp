#pragma once

// Small random hierarchies, with levels that change nothing and groups of one value.

#include <map>
#include <vector>

#include "random_table.hpp"

namespace anonkit {

/// The groups of the levels 1 .. height of a random tree over so many values.
inline std::vector<std::vector<std::int32_t>> random_levels(RandomTables& random, int values) {
  std::vector<std::vector<std::int32_t>> levels;
  std::vector<std::int32_t> group(static_cast<std::size_t>(values));
  for (int v = 0; v < values; ++v) group[static_cast<std::size_t>(v)] = v;
  for (int height = random.between(1, 4); height > 0; --height) {
    const int groups = height == 1 ? 1 : random.between(1, values);
    std::map<std::int32_t, std::int32_t> parent, number;
    for (std::int32_t& g : group) {
      const std::int32_t drawn = parent.try_emplace(g, random.between(0, groups - 1)).first->second;
      g = number.try_emplace(drawn, static_cast<std::int32_t>(number.size())).first->second;
    }
    levels.push_back(group);
  }
  return levels;
}

}  // namespace anonkit
