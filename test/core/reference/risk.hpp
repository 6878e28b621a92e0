#pragma once

// The risk of a release from its definition: for each record one divided by the members of its
// class, counted afresh.

#include <cstdint>
#include <set>
#include <vector>

namespace anonkit::reference {

/// By record of a release, its risk. `person_of` may be empty: then each record is a person's own.
inline std::vector<double> risks(const std::vector<std::int32_t>& class_of,
                                 const std::vector<std::int32_t>& person_of) {
  std::vector<double> risks;
  for (const std::int32_t c : class_of) {
    std::set<std::size_t> members;
    for (std::size_t j = 0; j < class_of.size(); ++j)
      if (class_of[j] == c)
        members.insert(person_of.empty() ? j : static_cast<std::size_t>(person_of[j]));
    risks.push_back(1.0 / static_cast<double>(members.size()));
  }
  return risks;
}

inline double mean_risk(const std::vector<double>& risks) {
  double sum = 0;
  for (const double risk : risks) sum += risk;
  return sum / static_cast<double>(risks.size());
}

inline double share_above(const std::vector<double>& risks, double threshold) {
  double above = 0;
  for (const double risk : risks) above += risk > threshold ? 1 : 0;
  return above / static_cast<double>(risks.size());
}

}  // namespace anonkit::reference
