#include "promise/promise.hpp"

namespace anonkit {
namespace {

constexpr Promise row_of_population() {
  Promise row;
  row.kind = kPromisePopulation;
  row.of_population = true;
  row.of_persons = false;
  row.not_transparent = "Methods that generalise a population look at all promises at once.";
  return row;
}

constexpr Promise k_map_row() {
  Promise row = row_of_population();
  row.name = "k-map";
  row.parameters[0] = {"k_map", ParameterDomain::positive_integer, &Promises::k_map};
  row.levels[0] = {row.name, [](const Promises& p, std::size_t) -> double { return p.k_map; },
                   "%g-map"};
  row.is_made = [](const Promises& p) { return p.k_map > 0; };
  row.upward_closed = true;
  return row;
}

constexpr Promise delta_presence_row() {
  Promise row = row_of_population();
  row.name = "delta-presence";
  row.parameters[0].key = "delta_presence";
  row.parameters[0].domain = ParameterDomain::bounds;
  row.parameters[0].number = &Promises::presence_largest;
  row.parameters[0].least = &Promises::presence_least;
  row.levels[0] = {"delta-presence: least",
                   [](const Promises& p, std::size_t) { return p.presence_least; },
                   "with a presence of at least %g"};
  row.levels[1] = {"delta-presence: largest",
                   [](const Promises& p, std::size_t) { return p.presence_largest; },
                   "with a presence of at most %g"};
  row.is_made = [](const Promises& p) { return p.presence_largest > 0; };
  return row;
}

}  // namespace

constexpr Promise kKMap = k_map_row();
constexpr Promise kDeltaPresence = delta_presence_row();

}  // namespace anonkit
