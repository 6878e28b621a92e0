#pragma once

// Possible values of places, numbered from 0 with a value each, by looking at one class after
// another. A class is a list of places.

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/at.hpp"
#include "model/number_lists.hpp"
#include "model/possible_values.hpp"

namespace anonkit::reference {

using Possible = std::vector<std::set<std::int32_t>>;

/// Takes from the places of one class the values that no other matching of the class's values has;
/// true if there are some. By a transitive closure of the values.
inline bool close_class(const NumberRange& places, const std::vector<std::int32_t>& value_of,
                        Possible& possible) {
  std::map<std::int32_t, std::set<std::int32_t>> reach;
  for (const std::int32_t place : places)
    reach[value_of[at(place)]].insert(possible[at(place)].begin(), possible[at(place)].end());
  for (auto& via : reach)
    for (auto& from : reach)
      if (from.second.count(via.first) > 0)
        from.second.insert(via.second.begin(), via.second.end());
  bool changed = false;
  for (const std::int32_t place : places) {
    std::set<std::int32_t> kept;
    for (const std::int32_t w : possible[at(place)])
      if (reach.count(w) > 0 && reach[w].count(value_of[at(place)]) > 0) kept.insert(w);
    changed = changed || kept != possible[at(place)];
    possible[at(place)] = kept;
  }
  return changed;
}

/// By place, its possible values at the fixpoint. Cubic in the values of a class.
inline Possible by_closure(const NumberLists& classes, const std::vector<std::int32_t>& value_of) {
  const std::set<std::int32_t> values(value_of.begin(), value_of.end());
  Possible possible(value_of.size(), values);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t c = 0; c < classes.size(); ++c)
      changed = close_class(classes[c], value_of, possible) || changed;
  }
  return possible;
}

/// The histories of places, by their classes.
struct Histories {
  std::vector<SharedHistory> shared;
  std::vector<std::int32_t> of_place;

  /// The places of a history.
  std::vector<std::int32_t> places_of(std::int32_t history) const {
    std::vector<std::int32_t> places;
    for (std::size_t place = 0; place < of_place.size(); ++place)
      if (of_place[place] == history) places.push_back(static_cast<std::int32_t>(place));
    return places;
  }
};

/// Histories in the order of their classes. Every place is in a class.
inline Histories histories_of(const std::vector<std::set<std::int32_t>>& classes_of,
                              const std::vector<std::int32_t>& value_of) {
  std::map<std::set<std::int32_t>, std::set<std::int32_t>> values;
  for (std::size_t i = 0; i < value_of.size(); ++i) values[classes_of[i]].insert(value_of[i]);
  Histories histories;
  for (const auto& [classes, own] : values)
    histories.shared.push_back({{classes.begin(), classes.end()}, {own.begin(), own.end()}});
  for (const auto& classes : classes_of)
    histories.of_place.push_back(
        static_cast<std::int32_t>(std::distance(values.begin(), values.find(classes))));
  return histories;
}

/// By class, its histories.
inline NumberLists classes_of_histories(const Histories& histories) {
  SilentTicker ticker;
  NumberLists classes_of;
  std::int32_t last = -1;
  for (const SharedHistory& history : histories.shared) {
    classes_of.items.insert(classes_of.items.end(), history.classes.begin(), history.classes.end());
    classes_of.close();
    last = std::max(last, history.classes.back());
  }
  return transpose(classes_of, at(last + 1), ticker);
}

/// Classes of places in place of classes of histories.
inline NumberLists with_places(const NumberLists& classes, const Histories& histories) {
  NumberLists of_places;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    for (const std::int32_t history : classes[c])
      for (const std::int32_t place : histories.places_of(history))
        of_places.items.push_back(place);
    of_places.close();
  }
  return of_places;
}

}  // namespace anonkit::reference
