#pragma once

#include "pg/release/run.hpp"

namespace anonkit::pg {

/// Measures masked records before they are written, for a method that promises k^f-anonymity: an
/// error (promise_broken) if the level falls short.
void verify_aggregates(const Run& run);

/// The mean width of the published intervals of the function numbered `i`; null where the release
/// is not in numbers.
double mean_width(const Run& run, const AggregateKnowledge& knowledge, int i);

}  // namespace anonkit::pg
