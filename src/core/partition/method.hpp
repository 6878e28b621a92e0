#pragma once

#include <string_view>

#include "data/space.hpp"
#include "options.hpp"
#include "ticker.hpp"

namespace anonkit {

/// An algorithm that forms equivalence classes of at least options.k records each; the caller sees
/// to it that there are that many.
struct Method {
  std::string_view name;
  Partition (*partition)(const Space& space, const Options& options, Ticker& ticker);
  /// The search that follows where the options do not ask for one.
  Refine refine;
};

/// The method of that name, or null. The table in method.cpp is the one list of all methods.
const Method* find_method(std::string_view name);

}  // namespace anonkit
