#pragma once

#include "pg/release/figures.hpp"
#include "pg/release/release_query.hpp"
#include "pg/release/source_writes.hpp"

namespace anonkit::pg {

/// The note of anon_publish and anon_refresh at a release. A readable sentence ends the view's
/// comment. A record ends its first column's comment, which \dm+ does not show. The owner of the
/// release may write comments, DROP removes them, and pg_dump saves them. No other place has all
/// three: options of relations have fixed names, labels need a preloaded provider, a table would
/// outlive the view. Plain data.
struct Note {
  bool found;
  Figures figures;
  TimestampTz built;
  Oid relation;        ///< the release at the time of writing; a restored one differs
  TransactionId rows;  ///< the transaction that wrote its rows
  int64 writes;        ///< SourceWrites::rows before the build; -1: not known
};

Note read_note(Oid relation);

/// Notes the figures of a release whose rows this transaction wrote, and keeps the rest of the
/// comment. The release must be locked.
void write_note(Oid relation, const Figures& figures, Oid source, const SourceWrites& writes);

/// The one row of anon_release_info: source, spec, built, its state now and the figures.
Datum write_release_info(FunctionCallInfo fcinfo, const ReleaseQuery& release, bool over_time);

/// The body of anon_release_info for relations that are not releases over time; no row if it is not
/// a release.
Datum release_info(FunctionCallInfo fcinfo);

}  // namespace anonkit::pg
