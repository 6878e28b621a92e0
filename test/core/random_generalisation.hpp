#pragma once

// Small random generalisation spaces of every kind of attribute. All numbers are multiples of small
// powers of two, so that penalties are exact in whatever order they are added up.

#include <random>
#include <vector>

#include "recode/generalisation.hpp"
#include "search_fixture.hpp"

namespace anonkit {

/// Eight values, and some levels of random groups of consecutive groups.
inline Hierarchy random_hierarchy(std::mt19937_64& random) {
  std::vector<std::vector<std::int32_t>> levels;
  // Groups need not be of neighbouring values: half of the hierarchies deal them out.
  const bool dealt = roll(random, 0, 1) == 0;
  std::vector<std::int32_t> below;
  for (std::int32_t v = 0; v < 8; ++v) below.push_back(v);
  std::int32_t groups = 8;
  while (groups > 2 && roll(random, 0, 2) > 0) {
    const std::int32_t fewer = roll(random, 2, groups - 1);
    std::vector<std::int32_t> level;
    for (const std::int32_t g : below) level.push_back(dealt ? g % fewer : g * fewer / groups);
    levels.push_back(level);
    below = level;
    groups = fewer;
  }
  levels.emplace_back(8, 0);
  return Hierarchy(levels);
}

/// The hierarchies must outlive the space.
inline GeneralisationSpace random_generalisation(std::mt19937_64& random, Record n, int d,
                                                 const std::vector<Hierarchy>& hierarchies) {
  std::vector<Domain> domains;
  std::vector<int> steps;
  for (int j = 0; j < d; ++j) {
    const double weight = roll(random, 1, 3) * 0.5;
    Domain domain;
    switch (roll(random, 0, 2)) {
      case 0:
        break;
      case 1:
        domain.by = Generalise::set;
        domain.values = roll(random, 0, 1) == 0 ? 3 : 5;
        break;
      default:
        domain =
            domain_of(hierarchies.at(random() % static_cast<std::uint64_t>(hierarchies.size())), 1);
    }
    domain.weight = weight;
    domains.push_back(domain);
    steps.push_back(roll(random, 0, 1) == 0 ? 4 : 1024);
  }
  std::vector<double> coordinates;
  for (Record i = 0; i < n; ++i)
    for (int j = 0; j < d; ++j) {
      const Domain& domain = domains[static_cast<std::size_t>(j)];
      const int step = steps[static_cast<std::size_t>(j)];
      coordinates.push_back(domain.by == Generalise::range
                                ? roll(random, 0, step) / static_cast<double>(step)
                                : roll(random, 0, domain.values - 1));
    }
  return GeneralisationSpace(std::move(coordinates), std::move(domains));
}

/// What the members of a class cost, from nothing but the definition.
inline double plain_ncp(const GeneralisationSpace& space, const std::vector<Record>& members) {
  double sum = 0;
  for (int j = 0; j < space.dimension(); ++j) {
    const Domain& domain = space.domain(j);
    std::vector<double> values;
    for (const Record i : members) values.push_back(space.row(i)[j]);
    std::sort(values.begin(), values.end());
    double penalty = 0;
    if (domain.by == Generalise::range) {
      penalty = values.back() - values.front();
    } else if (domain.by == Generalise::set) {
      const auto distinct = std::unique(values.begin(), values.end()) - values.begin();
      penalty = static_cast<double>(distinct - 1) / (domain.values - 1);
    } else {
      const Hierarchy& hierarchy = *domain.hierarchy;
      const auto group = [&](double x, std::int32_t level) {
        return hierarchy.group(level, domain.leaf.at(static_cast<std::size_t>(x)));
      };
      std::int32_t level = 0;
      const auto same = [&](double x) { return group(x, level) == group(values[0], level); };
      while (!std::all_of(values.begin(), values.end(), same)) ++level;
      penalty = hierarchy.ncp(level, group(values[0], level));
    }
    sum += domain.weight * penalty;
  }
  return sum * static_cast<double>(members.size());
}

inline double plain_ncp(const GeneralisationSpace& space, const Partition& partition) {
  std::vector<std::vector<Record>> classes(static_cast<std::size_t>(partition.classes));
  for (Record i = 0; i < space.size(); ++i)
    classes.at(static_cast<std::size_t>(partition.class_of[static_cast<std::size_t>(i)]))
        .push_back(i);
  double sum = 0;
  for (const auto& members : classes) sum += plain_ncp(space, members);
  return sum;
}

inline std::vector<Hierarchy> some_hierarchies(std::mt19937_64& random) {
  std::vector<Hierarchy> hierarchies;
  for (int i = 0; i < 3; ++i) hierarchies.push_back(random_hierarchy(random));
  return hierarchies;
}

}  // namespace anonkit
