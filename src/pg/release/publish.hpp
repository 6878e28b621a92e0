#pragma once

#include "pg/read/source.hpp"
#include "pg/release/figures.hpp"

namespace anonkit::pg {

/// What anon_publish was asked to make, whatever kind of release. Plain data.
struct Publication {
  Source source;
  Oid schema;
  char* name;
  char* grantees;  ///< quoted roles, separated by commas

  char* quoted() const { return quote_qualified_identifier(get_namespace_name(schema), name); }
  Oid relation() const { return get_relname_relid(name, schema); }
};

/// Reads anon_publish's arguments beside the spec. Errors: nulls, a name that is taken, a role that
/// does not exist, a temporary source.
Publication read_publication(FunctionCallInfo fcinfo, const Spec& spec);

/// Locks the source and, of a view, the tables that it reads, as planning does. A change that
/// snapshots do not see, such as a table that ALTER TABLE writes anew, is over when one is taken.
void lock_source(Oid source);

/// Lets the grantees read what was made.
void grant_select(const Publication& made);

/// The figures as the one row that the function returns.
void write_figures_row(FunctionCallInfo fcinfo, const Figures& figures);

/// The bodies of anon_publish, anon_refresh and anon_drop for a release without a key.
Datum publish_view(FunctionCallInfo fcinfo);
Datum refresh_view(FunctionCallInfo fcinfo);
Datum drop_view(FunctionCallInfo fcinfo);

}  // namespace anonkit::pg
