#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "constraint/confidential.hpp"
#include "data/space.hpp"
#include "options.hpp"
#include "ticker.hpp"

namespace anonkit {

/// What an algorithm gets: the records, the sensitive attributes whose distribution every class has
/// to keep, and what the user asked for.
struct Problem {
  const Space& space;
  const std::vector<Confidential>& confidential;
  const Options& options;
  /// When the time for searching is over; see RefineOptions.
  std::function<double()> clock;
};

/// Classes, and whether nothing but data and seed decided them.
struct Formed {
  Partition partition;
  bool reproducible = true;
};

/// Searches on from classes for less loss, keeping k and t. The effort is not Refine::none.
Formed search_on(const Problem& problem, const Partition& start, Refine effort, Ticker& ticker);

/// An algorithm that forms equivalence classes of at least options.k records each; the caller sees
/// to it that there are that many.
struct Method {
  const char* name;
  Formed (*form)(const Problem& problem, Ticker& ticker);
  /// Whether the classes keep t for the confidential attributes.
  bool keeps_t;
  /// Throws Error if the options make no sense for the method; called before any work. May be null.
  void (*check)(const Options& options);
};

/// All methods; the table in method.cpp is the one list of them.
struct Methods {
  const Method* first;
  const Method* last;
  const Method* begin() const { return first; }
  const Method* end() const { return last; }
};
Methods methods();

/// The method of that name, or null.
const Method* find_method(std::string_view name);

}  // namespace anonkit
