#pragma once

// Several releases of the same persons, by definition: persons who agree in every class, and the
// values of every world. A world gives each person one value, and each class of each release the
// multiset that it shows.

#include <map>
#include <set>
#include <vector>

#include "model/joint_releases.hpp"

namespace anonkit::reference {

/// The number of persons who agree with a person in all releases, fewest.
inline std::int64_t joint_k(const ByRelease& class_of, std::size_t persons) {
  std::size_t fewest = persons;
  for (std::size_t i = 0; i < persons; ++i) {
    std::size_t alike = 0;
    for (std::size_t j = 0; j < persons; ++j) {
      bool agree = true;
      for (const auto& release : class_of) agree = agree && release[i] == release[j];
      alike += agree ? 1 : 0;
    }
    fewest = std::min(fewest, alike);
  }
  return static_cast<std::int64_t>(fewest);
}

/// By person the values that some world gives, where persons have one value below `values` each.
/// `shows` tells by release if it shows the attribute.
inline std::vector<std::set<std::int32_t>> possible_values(const ByRelease& class_of,
                                                           const std::vector<bool>& shows,
                                                           const std::vector<std::int32_t>& truth,
                                                           std::int32_t values) {
  using Seen = std::map<std::pair<std::size_t, std::int32_t>, std::multiset<std::int32_t>>;
  const auto seen_in = [&](const std::vector<std::int32_t>& world) {
    Seen seen;
    for (std::size_t release = 0; release < class_of.size(); ++release)
      for (std::size_t i = 0; shows[release] && i < world.size(); ++i)
        if (class_of[release][i] != kNowhere)
          seen[{release, class_of[release][i]}].insert(world[i]);
    return seen;
  };
  const Seen published = seen_in(truth);
  std::vector<std::set<std::int32_t>> possible(truth.size());
  std::vector<std::int32_t> world(truth.size(), 0);
  for (bool more = true; more;) {
    if (seen_in(world) == published)
      for (std::size_t i = 0; i < world.size(); ++i) possible[i].insert(world[i]);
    std::size_t digit = 0;
    while (digit < world.size() && ++world[digit] == values) world[digit++] = 0;
    more = digit < world.size();
  }
  return possible;
}

}  // namespace anonkit::reference
