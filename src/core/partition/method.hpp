#pragma once

#include <string_view>

#include "data/space.hpp"
#include "options.hpp"
#include "ticker.hpp"

namespace anonkit {

/// An algorithm that forms equivalence classes of at least options.k records each; the caller sees
/// to it that there are that many.
struct Method {
  const char* name;
  Partition (*partition)(const Space& space, const Options& options, Ticker& ticker);
  /// The search that follows where the options do not ask for one.
  Refine refine;
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
