#pragma once

#include <functional>

namespace anonkit {

/// A clock for the interval between two shares of a limited time; empty if there is no limit.
inline std::function<double()> part_of(const std::function<double()>& clock, double from,
                                       double to) {
  if (!clock) return {};
  return [clock, from, to] { return (clock() - from) / (to - from); };
}

}  // namespace anonkit
