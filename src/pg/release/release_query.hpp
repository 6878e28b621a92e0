#pragma once

// Writes and recognises the query of a release.
//
// A release is a materialized view whose query is exactly one call of the extension's anon_release:
//
//   SELECT release.a, release.b
//   FROM anon_release('tbl'::regclass, '{...}'::jsonb) AS release(a ..., b ...)
//
// With tables of labels the call has a third argument, ARRAY['labels'::regclass, ...].
//
// A join, condition, LIMIT or set operation is not allowed, and every column appears once and in
// order. Otherwise the figures and the proof would not describe the view. Reading uses the catalogs
// without a lock, so a list of releases never waits.

#include "pg/read/source.hpp"
#include "pg/spec/named_tables.hpp"

namespace anonkit::pg {

/// The contents of a release's query. Plain data.
struct ReleaseQuery {
  Oid source;
  Jsonb* spec;  ///< with the current names of its tables
};

/// Reads the query of a relation. False if the relation is not a release.
bool read_release(Oid relation, ReleaseQuery& query);

/// Reads the query of a release for which the current role has a right (require_owner,
/// require_maintainer), and locks the release until the transaction ends. AccessExclusiveLock
/// serves DROP and REFRESH, ExclusiveLock excludes all sessions but readers. A transaction that has
/// used the release never waits behind another refresh, which would wait for its end. Errors: not a
/// release (wrong_object_type), no right (insufficient_privilege), dropped by another session
/// meanwhile (undefined_table), used and refreshed by another session (lock_not_available).
ReleaseQuery lock_release(Oid relation, LOCKMODE mode, void (*require_right)(Oid));

/// The query of a new release, with all names qualified and quoted. The spec numbers its tables.
char* release_query(const Source& source, Jsonb* spec, const NamedTables& tables);

/// "name type" of a column, for a column definition list, with a collation that the type has not.
void append_definition(StringInfo text, const char* name, Oid type, int32 typmod, Oid collation);
/// The definition of a column in the release.
void append_definition(StringInfo text, const SourceColumn& column);

/// The columns of a release by their names at publication, in its order.
List* names_at_publication(Oid release);

/// The released columns in the release's order.
const SourceColumn** columns_of_release(const Source& source, Oid release);

/// A spec in the release's column names, which its owner may have changed.
Spec as_released(const Spec& spec, const Source& source, Oid release);

}  // namespace anonkit::pg
