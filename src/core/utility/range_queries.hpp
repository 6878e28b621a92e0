#pragma once

#include <cstdint>

#include "base/ticker.hpp"
#include "risk/cells.hpp"

namespace anonkit {

/// Mean relative error of random counting queries (K. LeFevre, D. DeWitt, R. Ramakrishnan:
/// Workload-aware anonymization. KDD 2006). Each query selects an interval of every numeric column,
/// between values of two random records, and about half of the values of every category. A range
/// that overlaps a query partly counts by the share of its width. Errors are relative to the true
/// count, at least 1. Reproducible by seed. O(queries n).
double mean_query_error(const Cells& original, const Cells& masked, std::int32_t queries,
                        std::uint64_t seed, int threads, Ticker& ticker);

}  // namespace anonkit
