#pragma once

// k-map and delta-presence by their definitions: every record of the population looks for its
// class.

#include <map>
#include <vector>

#include "method/full_domain/full_domain.hpp"

namespace anonkit::reference {

/// By cells, the records of the population that have them.
using Crowds = std::map<std::vector<std::int32_t>, int>;

inline Crowds crowds_at(const FullDomainProblem& problem, const Levels& levels) {
  Crowds crowds;
  for (std::size_t i = 0; i < static_cast<std::size_t>(problem.population); ++i) {
    std::vector<std::int32_t> cells;
    for (std::size_t j = 0; j < levels.size(); ++j)
      cells.push_back(problem.hierarchies[j]->group(levels[j], problem.population_leaves[j][i]));
    ++crowds[cells];
  }
  return crowds;
}

/// True if a class of so many published records may be published.
inline bool may_be_present(const Promises& promised, std::size_t records, int crowd) {
  if (crowd < promised.k_map) return false;
  if (promised.presence_largest == 0) return true;
  const double share = static_cast<double>(records) / crowd;
  return share >= promised.presence_least && share <= promised.presence_largest;
}

/// True if classes of the population without published records may be.
inline bool may_be_absent(const Promises& promised) {
  return promised.presence_least == 0;
}

}  // namespace anonkit::reference
