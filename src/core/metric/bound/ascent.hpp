#pragma once

#include <functional>

#include "metric/bound/shares.hpp"

namespace anonkit {

/// Raises prices so that the sum of the shares grows: subgradient steps, whose direction keeps half
/// of the one before and whose length falls from round to round. Returns the largest sum, in units.
/// `plain` is a sum known to be a bound; `progress` says before each round which share of the work
/// is done; at 1 it is over.
double raise_prices(Shares& shares, double plain, const std::function<double()>& progress,
                    Ticker& ticker);

}  // namespace anonkit
