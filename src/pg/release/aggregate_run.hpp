#pragma once

#include "pg/release/run.hpp"

namespace anonkit::pg {

/// Measures masked records before writing, for a method that promises k^f-anonymity. An error
/// (promise_broken) if the level falls short.
void verify_aggregates(const Run& run);

/// The mean width of the published intervals of the i-th function; null if the release has no
/// numbers.
double mean_width(const Run& run, const AggregateKnowledge& knowledge, int i);

}  // namespace anonkit::pg
