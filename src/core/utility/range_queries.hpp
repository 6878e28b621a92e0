#pragma once

#include <cstdint>

#include "base/ticker.hpp"
#include "risk/cells.hpp"

namespace anonkit {

/// Mean relative error of random counts (K. LeFevre, D. DeWitt, R. Ramakrishnan: Workload-aware
/// anonymization. KDD 2006): each query asks for an interval of every column of numbers, between
/// values of two random records, and for about half of the values of every category. A range that a
/// query meets in part counts by the share of its width. Errors are relative to the true count, 1
/// at least. Reproducible by seed. O(queries n).
double mean_query_error(const Cells& original, const Cells& masked, std::int32_t queries,
                        std::uint64_t seed, Ticker& ticker);

}  // namespace anonkit
