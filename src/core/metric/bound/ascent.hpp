#pragma once

#include <functional>
#include <vector>

#include "metric/bound/shares.hpp"

namespace anonkit {

/// The least shares of a block's records under the best prices met, and their sum, in units.
struct RaisedShares {
  double sum;
  std::vector<double> least;
};

/// Raises prices so that the sum of the shares grows.
/// Subgradient steps: the direction keeps half of the previous one, the length decreases by round.
/// `plain` is a known bound. `progress` returns the completed share of the work before each round;
/// the ascent ends at 1.
RaisedShares raise_prices(Shares& shares, double plain, const std::function<double()>& progress,
                          Ticker& ticker);

}  // namespace anonkit
