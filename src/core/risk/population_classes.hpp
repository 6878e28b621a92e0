#pragma once

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "risk/cells.hpp"

namespace anonkit {

/// The classes of a relation and of the population that contains it.
struct PopulationClasses {
  std::vector<std::int64_t> sizes;   ///< records of the relation; 0 if only others are in the class
  std::vector<std::int64_t> crowds;  ///< records of the population
  std::vector<std::int32_t> example;  ///< a record of the relation, -1 if there is none
};

/// Forms the classes of `pair.masked`, and counts the records of the population, `pair.original`,
/// that match each class: equal cells, or numbers within its ranges. O(d n).
PopulationClasses population_classes(const CellsPair& pair, Ticker& ticker);

/// The levels of a relation against its population, each constant within a class.
enum class PresenceModel : std::uint8_t {
  k_map,    ///< the records of the population that match; of classes with records of the relation
  least,    ///< the probability of being in the relation, at least
  largest,  ///< and at most
};

/// The level of the worst class, and the classes below `asked`, with their records. The records are
/// those of the relation for k-map, else of the population. Nothing falls short of NaN. Throws
/// invalid_data if a class lacks records in the population. O(classes).
struct PresenceLevel {
  double level = 0;
  std::int32_t worst_class = 0;
  std::int64_t classes_short = 0;
  std::int64_t records_short = 0;
};
PresenceLevel presence_level(const PopulationClasses& classes, PresenceModel model, double asked);

/// delta-presence (M. E. Nergiz, M. Atzori, C. Clifton: Hiding the presence of individuals from
/// shared databases. SIGMOD 2007): the probability that a person of the population is in the
/// relation, constant within a class. k-map (L. Sweeney: k-anonymity. IJUFKS 10(5), 2002): the
/// number of persons of the population that match a record.
struct Presence {
  double least = 0;
  double largest = 0;
  std::int64_t k_map = 0;
};
/// Throws invalid_data if a class lacks records in the population. O(classes).
Presence presence_of(const PopulationClasses& classes);

}  // namespace anonkit
