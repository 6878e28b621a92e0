#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/ticker.hpp"
#include "search/search.hpp"

namespace anonkit {

struct AnnealPlan {
  double first_temperature;  ///< in units of the loss; > 0
  double last_temperature;
  std::int64_t moves;
  std::uint64_t seed;
  /// The share of the time allowed that is gone; empty if there is no limit.
  std::function<double()> clock;
};

struct AnnealResult {
  std::vector<ClassId> best;  ///< class ids as in the search, some may be unused
  bool reproducible;          ///< false if the clock had a say
};

/// Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) over moves and swaps towards the
/// classes of near neighbours, dissolutions and splits. The temperature falls in a thousand steps
/// of equal length; a clock that is ahead of them skips some, so that the search is cold when its
/// time is over. Returns the best state found at the end of a step, the start included.
AnnealResult anneal(Search& search, const AnnealPlan& plan, Ticker& ticker);

}  // namespace anonkit
