#pragma once

#include <cstdint>
#include <functional>

#include "base/ticker.hpp"
#include "search/search.hpp"

namespace anonkit {

enum class DescentOrder { records_first, classes_first };

/// Lowers the loss until no single move, swap, split or dissolution over the neighbour lists lowers
/// it by more than `tolerance`, or `budget` changes were tried (see Search::effort), or the clock
/// (if there is one) reads 1. Records are taken in order, each takes the first change that helps;
/// then classes are. With the classes first, most of the gain comes early: those dissolved leave
/// others with more than k records, which can then move.
/// Returns false if the clock ended it; else the result depends on nothing but the arguments.
/// Memory: 4 bytes for each record and class.
bool descend(Search& search, DescentOrder order, double tolerance, std::int64_t budget,
             const std::function<double()>& clock, Ticker& ticker);

}  // namespace anonkit
