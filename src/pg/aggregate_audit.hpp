#pragma once

#include "model/aggregate_knowledge.hpp"

#include "spec.hpp"

namespace anonkit::pg {

struct Run;

/// "k^f-anonymity", or "k^(f,d)-anonymity" if d is above 0.
const char* aggregate_model(const AggregateKnowledge& knowledge);

/// The functions by their names, separated by commas.
const char* aggregate_attribute(const AggregateKnowledge& knowledge);

/// Measures what a relation of numbers and ranges keeps from somebody who knows aggregates of a
/// record. `source` is where the original values are read, InvalidOid if nobody has them: then the
/// worst that they may be counts. `sensitive` may be null. `widths` gets the mean width of the
/// published intervals of each function, unless it is null.
AggregateLevel audit_aggregates(Oid relation, const Names& qi, const char* sensitive, Oid source,
                                const AggregateKnowledge& knowledge, double* widths);

/// Measures masked records before they are written: the level, or an error (guarantee_broken).
void verify_aggregates(const Run& run);

/// The mean width of the published intervals of the function numbered `i`; null where the release
/// is not in numbers.
double mean_width(const Run& run, const AggregateKnowledge& knowledge, int i);

}  // namespace anonkit::pg
