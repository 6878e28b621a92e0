#pragma once

// Coverage: the persons who are present and are published, by stratum of nulls. Persons with nulls
// in rare columns find a class late or never, which the coverage of all persons hides.

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "table/nulls/null_pattern.hpp"

namespace anonkit {

/// The persons who are present and have the same columns null.
struct StratumCoverage {
  NullPattern nulls;
  std::int64_t present = 0;
  std::int64_t published = 0;

  double share() const { return static_cast<double>(published) / static_cast<double>(present); }
};

/// The strata of the persons, those with fewer nulls first. `nulls` has the pattern of each person
/// in so many words. O(persons log strata).
std::vector<StratumCoverage> coverage_by_stratum(const std::uint64_t* nulls, std::size_t words,
                                                 const std::vector<char>& published,
                                                 Ticker& ticker);

/// The stratum with the smallest share among those of so many persons or more, the first of
/// several; null if there is none.
const StratumCoverage* least_covered(const std::vector<StratumCoverage>& strata,
                                     std::int64_t persons);

}  // namespace anonkit
