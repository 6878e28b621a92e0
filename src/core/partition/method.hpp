#pragma once

#include <string_view>

#include "data/space.hpp"
#include "options.hpp"
#include "ticker.hpp"

namespace anonkit {

/// An algorithm that forms equivalence classes: of at least options.k records each, unless there are
/// fewer records than that (the caller forbids it).
struct Method {
  std::string_view name;
  Partition (*partition)(const Space& space, const Options& options, Ticker& ticker);
};

/// The method of that name, or null. The table in method.cpp is the one list of all methods.
const Method* find_method(std::string_view name);

}  // namespace anonkit
