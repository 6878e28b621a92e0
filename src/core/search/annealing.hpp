#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/ticker.hpp"
#include "search/search.hpp"

namespace anonkit {

/// The changes that an annealing draws.
enum class Draws {
  changes,  ///< every change that a Search has
  classes,  ///< near classes formed anew alone: ruin and recreate (Schrimpf et al. 2000)
};

struct AnnealPlan {
  double first_temperature;  ///< in units of the loss; > 0
  double last_temperature;
  std::int64_t moves;
  std::uint64_t seed;
  /// The elapsed share of the time limit; empty if there is no limit.
  std::function<double()> clock;
  bool relays = false;  ///< one in eight changes of a record that may not leave is a relay
  Draws draws = Draws::changes;
};

struct AnnealResult {
  std::vector<ClassId> best;  ///< class ids as in the search, some may be unused
  bool reproducible;          ///< false if the clock shortened the search
};

/// Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) by moves, swaps and relays towards the
/// classes of near neighbours, dissolutions, splits, and near classes formed anew. The temperature
/// falls in a thousand equal steps. If time runs short, the clock skips steps, so that the search
/// ends cold. Returns the best state at the end of a step, including the start.
AnnealResult anneal(Search& search, const AnnealPlan& plan, Ticker& ticker);

}  // namespace anonkit
