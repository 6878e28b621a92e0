#pragma once

#include <cstdint>

#include "search/search.hpp"
#include "ticker.hpp"

namespace anonkit {

/// Lowers the loss until no single move, swap, split or dissolution over the neighbour lists lowers
/// it by more than `tolerance`, or `budget` changes were tried. Records are taken in order, each
/// takes the first change that helps. Deterministic. Memory: 8 bytes a record.
void descend(Search& search, double tolerance, std::int64_t budget, Ticker& ticker);

}  // namespace anonkit
