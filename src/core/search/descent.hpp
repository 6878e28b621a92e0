#pragma once

#include <cstdint>
#include <functional>

#include "base/ticker.hpp"
#include "search/search.hpp"

namespace anonkit {

enum class DescentOrder { records_first, classes_first };

/// Lowers the loss by single moves, swaps, splits and dissolutions over the neighbour lists. Ends
/// when no change lowers it by more than `tolerance`, after `budget` changes (see Search::effort),
/// or when the clock, if there is one, reads 1. Records and classes are visited in order, and each
/// takes the first change that helps. Classes first yields most of the gain early: dissolved
/// classes leave others with more than k records, whose records can then move.
///
/// Returns false if the clock ended it; otherwise the result depends on the arguments alone.
/// Memory: 4 bytes per record and class.
bool descend(Search& search, DescentOrder order, double tolerance, std::int64_t budget,
             const std::function<double()>& clock, Ticker& ticker);

}  // namespace anonkit
