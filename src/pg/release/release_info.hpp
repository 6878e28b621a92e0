#pragma once

#include "pg/release/figures.hpp"

namespace anonkit::pg {

/// What the query of a release says. Plain data.
struct ReleaseQuery {
  Oid source;
  Jsonb* spec;
};

/// Reads source and spec out of the query of a materialized view. False if the relation is not a
/// release, that is a materialized view over anon_release of the given schema.
bool read_release(Oid relation, Oid extension_schema, ReleaseQuery& query);

/// The same, or an error (wrong_object_type).
ReleaseQuery require_release(Oid relation, Oid extension_schema);

/// What anon_publish and anon_refresh note at a release. It is kept as the last line of the view's
/// comment: whoever owns the release may write it, it goes when the release goes, and pg_dump takes
/// it along. Plain data.
struct Note {
  bool found;
  Figures figures;
  TimestampTz built;
  bool current;  ///< false if the view was refreshed otherwise since
};

Note read_note(Oid relation);

/// Notes the figures of a release that was built now, keeping what else the comment says.
void write_note(Oid relation, const Figures& figures);

}  // namespace anonkit::pg
