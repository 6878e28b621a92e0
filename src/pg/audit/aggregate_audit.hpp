#pragma once

#include "model/aggregate_knowledge.hpp"

#include "pg/read/range_reader.hpp"

namespace anonkit::pg {

/// "k^f-anonymity", or "k^(f,d)-anonymity" if d is above 0.
const char* aggregate_model(const AggregateKnowledge& knowledge);
/// The functions by their names, separated by commas.
const char* aggregate_attribute(const AggregateKnowledge& knowledge);

/// The judge's view of published numbers; `source` may be null. It points into both.
PublishedRanges ranges_of(const PublishedNumbers& published, const PublishedNumbers* source);
/// The level of the published ranges under the guarantee of `knowledge`.
AggregateLevel level_of(const PublishedRanges& ranges, const AggregateKnowledge& knowledge);
/// The mean width of the published intervals of the function numbered `i`.
double width_of(const PublishedRanges& ranges, const AggregateKnowledge& knowledge, int i);

/// Where the original values of a relation are read: the columns that its quasi-identifiers were
/// made of. InvalidOid: nobody has them, and the worst that they may be counts. Plain data.
struct Originals {
  Oid relation;
  Names columns;
};

/// Measures what a relation of numbers and ranges keeps from somebody who knows aggregates of a
/// record. `sensitive` may be null. `widths` gets the mean width of the
/// published intervals of each function, unless it is null.
AggregateLevel audit_aggregates(Oid relation, const Names& qi, const char* sensitive,
                                const Originals& originals, const AggregateKnowledge& knowledge,
                                double* widths);

}  // namespace anonkit::pg
