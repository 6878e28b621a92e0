#pragma once

#include "model/aggregate_knowledge.hpp"

#include "pg/audit/judging.hpp"
#include "pg/read/range_reader.hpp"

namespace anonkit::pg {

/// The judge's view of published numbers; `source` may be null. The result points into both.
PublishedRanges ranges_of(const PublishedNumbers& published, const PublishedNumbers* source);
/// The level of the published ranges under the guarantee of `knowledge`.
AggregateLevel level_of(const PublishedRanges& ranges, const AggregateKnowledge& knowledge);
/// The mean width of the published intervals of the i-th function.
double width_of(const PublishedRanges& ranges, const AggregateKnowledge& knowledge, int i);

/// The relation with the original values, and the columns that the quasi-identifiers derive from.
/// InvalidOid: unknown, so the worst possible values count. Plain data.
struct Originals {
  Oid relation;
  Names columns;
};

/// Measures the protection of a relation of numbers and ranges against attackers who know
/// aggregates of a record. `sensitive` may be null. `widths`, unless null, gets the mean width of
/// the published intervals of each function.
AggregateLevel audit_aggregates(Oid relation, const Names& qi, const char* sensitive,
                                const Originals& originals, const AggregateKnowledge& knowledge,
                                double* widths);

/// The error of a broken promise, if attackers are left with fewer than k records, or with fewer
/// sensitive values than the spec's p.
void require_aggregates(const char* subject, const Spec& spec, int k, const AggregateLevel& found);

}  // namespace anonkit::pg
