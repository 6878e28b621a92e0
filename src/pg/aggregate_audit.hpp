#pragma once

#include "model/aggregate_knowledge.hpp"

#include "spec.hpp"

namespace anonkit::pg {

struct Run;

/// "k^f-anonymity", or "k^(f,d)-anonymity" if d is above 0.
const char* aggregate_model(const AggregateKnowledge& knowledge);

/// The functions by their names, separated by commas.
const char* aggregate_attribute(const AggregateKnowledge& knowledge);

/// What a relation of numbers and ranges keeps from somebody who knows aggregates of a record.
/// Plain data.
struct AggregateAudit {
  AggregateLevel level;
  const double* widths;  ///< the mean width of the published intervals, by function
};

/// Measures a relation. `source` is where the original values are read, InvalidOid if nobody has
/// them: then the worst that they may be counts. `sensitive` may be null.
AggregateAudit audit_aggregates(Oid relation, const Names& qi, const char* sensitive, Oid source,
                                const AggregateKnowledge& knowledge);

/// Measures masked records before they are written: the level, or an error (guarantee_broken).
void verify_aggregates(const Run& run);

/// The mean width of the published intervals of the function numbered `i`; null where the release
/// is not in numbers.
double mean_width(const Run& run, const AggregateKnowledge& knowledge, int i);

}  // namespace anonkit::pg
