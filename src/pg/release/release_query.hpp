#pragma once

// The query of a release, written and recognised.
//
// A release is a materialized view whose query is exactly one call of the extension's anon_release:
//
//   SELECT release.a, release.b FROM anon_release('tbl'::regclass, '{...}'::jsonb) AS release(a
//   ..., b ...)
//
// With tables of labels the call has a third argument, ARRAY['labels'::regclass, ...].
//
// No join, no condition, no LIMIT, no set operation, every column once and in order: only then do
// the figures and the proof speak of what the view shows. Everything is read from the catalogs,
// without a lock, so that a list of releases waits for nobody.

#include "pg/read/source.hpp"
#include "pg/spec/named_tables.hpp"

namespace anonkit::pg {

/// What the query of a release says. Plain data.
struct ReleaseQuery {
  Oid source;
  Jsonb* spec;  ///< with the names that its tables have now
};

/// Reads the query of a relation. False if the relation is not a release.
bool read_release(Oid relation, ReleaseQuery& query);

/// Reads the query of a release on which the current role has a right (require_owner,
/// require_maintainer), and locks the release until the transaction ends: AccessExclusiveLock as
/// DROP and REFRESH do, ExclusiveLock to keep out all but readers. Errors: not a release
/// (wrong_object_type), no right (insufficient_privilege), dropped by another session meanwhile
/// (undefined_table).
ReleaseQuery lock_release(Oid relation, LOCKMODE mode, void (*require_right)(Oid));

/// The query of a release that is to be made, everything in it qualified and quoted. The spec has
/// places for its tables.
char* release_query(const Source& source, Jsonb* spec, const NamedTables& tables);

/// "name type" of a column of the release, for a column definition list.
void append_definition(StringInfo text, const SourceColumn& column);

/// A spec in the words of a release: its owner may have renamed columns.
Spec as_released(const Spec& spec, const Source& source, Oid release);

}  // namespace anonkit::pg
