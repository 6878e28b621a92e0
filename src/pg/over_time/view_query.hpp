#pragma once

// Writes and recognises the query of a release over time: a view of the published places, whose
// condition names source, spec and state.
//
//   SELECT places.a, places.b, places.anon_weight AS weight FROM NAME_places AS places
//   WHERE places.anon_until IS NULL AND anon_release_spec('tbl'::regclass, '{...}'::jsonb)
//
// In version 0.2.0 the call also had 'NAME_waiting'::regclass, 'NAME_secret'::regclass.
//
// anon_release_spec is immutable and true, so the planner removes it. PostgreSQL records relation
// constants as dependencies, dumps them, and follows renamed relations.

#include "pg/read/source.hpp"
#include "pg/release/release_query.hpp"

namespace anonkit::pg {

/// The contents of the query of a release over time. Plain data.
struct OverTimeQuery {
  Oid relation;  ///< the release itself
  Oid source;
  Jsonb* spec;
  Oid places;
  Oid waiting;  ///< tables of version 0.2.0; InvalidOid: the state is in the companion
  Oid secret;
};

/// Reads the query of a relation from the catalogs, without a lock. False if the relation is not a
/// release over time.
bool read_over_time(Oid relation, OverTimeQuery& query);

/// Reads the source and the spec of a release of any kind. False for other relations.
bool read_any_release(Oid relation, ReleaseQuery& query);

/// True if the query of a view is that of a release over time but for its columns: somebody renamed
/// columns of the places.
bool shows_other_columns(Oid relation, OverTimeQuery& query);

/// The query of a new release, with all names qualified and quoted.
char* over_time_query(const Source& source, bool weight, const OverTimeQuery& release);

}  // namespace anonkit::pg
