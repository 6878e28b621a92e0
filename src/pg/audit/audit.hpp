#pragma once

#include "pg/audit/aggregate_audit.hpp"

namespace anonkit::pg {

/// Writes a row for each model that applies to the relation, as the result of anon_audit.
void audit_relation(FunctionCallInfo fcinfo, Oid relation, const Spec& spec);

/// Raises check_violation unless the relation satisfies every model of the spec. The originals are
/// those that the call of anon_assert names.
void assert_relation(FunctionCallInfo fcinfo, Oid relation, const Spec& spec);

/// True if the columns that say whose a row is are published.
bool keeps_unit(const Spec& spec);

/// Measures a release that was written by the current command, as anybody who can read it could,
/// and raises check_violation if a model that its spec promises does not hold. The source is read
/// where only the original values can tell. The spec names columns as the release does.
void assert_release(Oid release, const Spec& spec, const Originals& originals);

}  // namespace anonkit::pg
