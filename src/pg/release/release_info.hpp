#pragma once

#include "pg/release/release_query.hpp"
#include "pg/release/set_query.hpp"

namespace anonkit::pg {

/// The one row of anon_release_info. Everybody sees source, spec, owner, promise, the time of build
/// and what a reader of the release can count; roles with the privileges of its owner see the rest.
/// Runs no code of a user: relations other than catalogs are read on the heap, after a check.
Datum write_release_info(FunctionCallInfo fcinfo, const ReleaseQuery& release, bool over_time);

/// The row of a set, by the relation that describes it. Its source is that of its root.
Datum write_set_info(FunctionCallInfo fcinfo, const SetQuery& set);

/// The body of anon_release_info for relations that are not releases over time; no row if it is not
/// a release.
Datum release_info(FunctionCallInfo fcinfo);

}  // namespace anonkit::pg
