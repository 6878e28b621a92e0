#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "risk/cells.hpp"

namespace anonkit {

/// The classes of a relation and of the population that it is a part of.
struct PopulationClasses {
  std::vector<std::int64_t> sizes;   ///< records of the relation; 0 where only others are
  std::vector<std::int64_t> crowds;  ///< records of the population
};

/// Forms the classes of `pair.masked`, and counts the records of the population, `pair.original`,
/// that fit in each: equal cells, or numbers within its ranges. O(d n).
PopulationClasses population_classes(const CellsPair& pair, Ticker& ticker);

/// delta-presence (M. E. Nergiz, M. Atzori, C. Clifton: Hiding the presence of individuals from
/// shared databases. SIGMOD 2007): the chance that a person of the population is in the relation,
/// which is the same for all of a class; and k-map (L. Sweeney: k-anonymity. IJUFKS 10(5), 2002):
/// how many of the population fit a record.
struct Presence {
  double least = 0;
  double largest = 0;
  std::int64_t k_map = 0;
};
/// Throws invalid_data if a class lacks records in the population.
Presence presence_of(const PopulationClasses& classes);

}  // namespace anonkit
