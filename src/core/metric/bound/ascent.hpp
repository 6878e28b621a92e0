#pragma once

#include <functional>

#include "metric/bound/shares.hpp"

namespace anonkit {

/// Raises prices so that the sum of the shares grows, and returns the largest sum, in units.
/// Subgradient steps: the direction keeps half of the previous one, the length decreases by round.
/// `plain` is a known bound. `progress` returns the completed share of the work before each round;
/// the ascent ends at 1.
double raise_prices(Shares& shares, double plain, const std::function<double()>& progress,
                    Ticker& ticker);

}  // namespace anonkit
