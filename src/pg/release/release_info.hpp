#pragma once

#include "pg/release/figures.hpp"
#include "pg/release/release_query.hpp"

namespace anonkit::pg {

/// What anon_publish and anon_refresh note at a release. It is kept as the last line of the view's
/// comment: the owner of the release may write it, it goes when the release goes, and pg_dump takes
/// it along. Plain data.
struct Note {
  bool found;
  Figures figures;
  TimestampTz built;
  Oid relation;        ///< the release that it was written for; a restored one is another
  TransactionId rows;  ///< the transaction that wrote its rows
};

Note read_note(Oid relation);

/// Notes the figures of a release whose rows this transaction wrote, keeping what else the comment
/// says. The release must be locked.
void write_note(Oid relation, const Figures& figures);

/// The one row of anon_release_info: source, spec, built, current and the figures.
Datum write_release_info(FunctionCallInfo fcinfo, const ReleaseQuery& release, bool over_time);

/// The body of anon_release_info for any relation that is not a release over time: no row if it is
/// no release at all.
Datum release_info(FunctionCallInfo fcinfo);

}  // namespace anonkit::pg
