#pragma once

#include "pg/read/source.hpp"
#include "pg/release/figures.hpp"

namespace anonkit::pg {

/// The object that anon_publish makes, for any kind of release. Plain data.
struct Publication {
  Source source;
  Oid schema;
  char* name;
  char* grantees;      ///< quoted roles, separated by commas
  List* grantee_oids;  ///< ACL_ID_PUBLIC: everybody

  char* quoted() const { return quote_qualified_identifier(get_namespace_name(schema), name); }
  Oid relation() const { return get_relname_relid(name, schema); }
};

/// Reads anon_publish's arguments beside the spec. Errors: nulls, an existing name, a role that
/// does not exist, a temporary source.
Publication read_publication(FunctionCallInfo fcinfo, const Spec& spec);

/// Locks the source and, for a view, its tables, as planning does. Snapshots do not protect against
/// changes such as ALTER TABLE with a rewrite, so the lock must precede the snapshot.
void lock_source(Oid source);

/// An error for a transaction that repeats its reads and started before the release, or the set
/// that this view describes, was built: it would put older rows in place of newer ones. `subject`
/// names it in the error.
void require_newer_snapshot(Oid release, const char* subject);

/// Warns once that promises on values are weaker against adversaries who know the code, unless the
/// release is transparent.
void warn_of_replay(const Spec& spec);

/// Grants SELECT on the new release to the grantees.
void grant_select(const Publication& made);

/// A release that was made or made again. Plain data.
struct Made {
  Oid release;
  Figures figures;
};

/// The body of a function that makes a release or a version in an SPI session and returns a verdict
/// and its figures, to four digits, as the single row.
Datum return_figures(FunctionCallInfo fcinfo, Made (*make)(FunctionCallInfo fcinfo));

/// The work of anon_publish, anon_refresh and anon_drop for a release without a key. `made` is the
/// new release.
Figures publish_view(FunctionCallInfo fcinfo, Oid* made);
Figures refresh_view(FunctionCallInfo fcinfo);
Datum drop_view(FunctionCallInfo fcinfo);

}  // namespace anonkit::pg
