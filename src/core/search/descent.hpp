#pragma once

#include <cstdint>
#include <functional>

#include "search/search.hpp"
#include "ticker.hpp"

namespace anonkit {

/// Lowers the loss until no single move, swap, split or dissolution over the neighbour lists lowers
/// it by more than `tolerance`, or `budget` changes were tried (see Search::effort), or the clock
/// (if there is one) reads 1. Records are taken in order, each takes the first change that helps.
/// Returns false if the clock ended it; else the result depends on nothing but the arguments.
/// Memory: 4 bytes for each record and class.
bool descend(Search& search, double tolerance, std::int64_t budget,
             const std::function<double()>& clock, Ticker& ticker);

}  // namespace anonkit
