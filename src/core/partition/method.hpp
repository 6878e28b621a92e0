#pragma once

#include <string_view>
#include <vector>

#include "constraint/confidential.hpp"
#include "data/space.hpp"
#include "options.hpp"
#include "search/refine.hpp"
#include "ticker.hpp"

namespace anonkit {

/// What an algorithm gets: the records, the sensitive attributes whose distribution every class has
/// to keep, and what the user asked for.
struct Problem {
  const Space& space;
  const std::vector<Confidential>& confidential;
  const Options& options;
  RefineOptions search;  ///< how long and how to search, for algorithms that do
};

/// An algorithm that forms equivalence classes of at least options.k records each; the caller sees
/// to it that there are that many.
struct Method {
  const char* name;
  Partition (*partition)(const Problem& problem, Ticker& ticker);
  /// The search that follows where the options do not ask for one.
  Refine refine;
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
