// anon_publish, anon_refresh, anon_drop, anon_release_info: the life of a release, with or without
// a key.

#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/over_time/state.hpp"
#include "pg/over_time/version.hpp"
#include "pg/release/publish.hpp"
#include "pg/release/release_info.hpp"
#include "pg/release/warnings.hpp"
#include "pg/spec/named_tables.hpp"

extern "C" {
#include "access/xlog.h"
#include "storage/lmgr.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {
namespace {

bool has_key(FunctionCallInfo fcinfo) {
  return !PG_ARGISNULL(argument_place(fcinfo, "key"));
}

void refuse_weight_column(const Source& source) {
  for (int i = 0; i < source.count; ++i)
    if (strcmp(source.columns[i].name, "weight") == 0)
      ereport(ERROR, (errcode(ERRCODE_DUPLICATE_COLUMN),
                      errmsg("the release would have two columns \"weight\""),
                      errhint("Give weight => false, or rename the column in a view.")));
}

/// Creates the state, the view and the first version.
Figures publish_over_time(FunctionCallInfo fcinfo) {
  OverTimeQuery release = {};
  NamedTables tables = {};
  Jsonb* placed = places_for_tables(spec_of_release(fcinfo), tables);
  release.spec = names_for_tables(placed, tables);
  const Spec spec = read_spec(release.spec);
  const Publication wanted = read_publication(fcinfo, spec);
  if (spec.over_time.weight) refuse_weight_column(wanted.source);
  release.source = wanted.source.relation;
  const OwnSettings settings = begin_own_settings();
  lock_source(release.source);
  const SourceWrites writes = source_writes(release.source);
  PushActiveSnapshot(GetTransactionSnapshot());
  create_state(get_namespace_name(wanted.schema), wanted.name, wanted.source,
               resolve_key(release.source, spec), release);
  execute(psprintf("CREATE VIEW %s WITH (security_barrier) AS %s", wanted.quoted(),
                   over_time_query(wanted.source, spec.over_time.weight, release)),
          SPI_OK_UTILITY);
  release.relation = get_relname_relid(wanted.name, wanted.schema);
  const OwnersWork work = begin_owners_work(release.relation);
  const Figures figures = make_version(release, spec, writes);
  warn_of_refused_nulls(wanted.source, spec);
  warn_of_unique_values(release.relation, wanted.source, spec);
  end_owners_work(work);
  PopActiveSnapshot();
  warn_of_replay(spec);
  grant_select(wanted);
  end_own_settings(settings);
  return figures;
}

/// Admits one refresh at a time, while readers continue.
void lock_over_time(const OverTimeQuery& release) {
  require_owner(release.relation);
  LockRelationOid(release.relation, ShareUpdateExclusiveLock);
  OverTimeQuery again;
  if (!SearchSysCacheExists1(RELOID, ObjectIdGetDatum(release.relation)) ||
      !read_over_time(release.relation, again))
    ereport(ERROR, (errcode(ERRCODE_UNDEFINED_TABLE),
                    errmsg("the release was dropped by another session")));
  require_owner(release.relation);
}

/// The next version, or the result of refresh_view for a release without a key.
Figures refresh_over_time(FunctionCallInfo fcinfo) {
  OverTimeQuery release;
  if (!read_over_time(relation_argument(fcinfo), release)) return refresh_view(fcinfo);
  lock_over_time(release);
  const Spec spec = read_spec(release.spec);
  lock_source(release.source);
  const SourceWrites writes = source_writes(release.source);
  PushActiveSnapshot(GetTransactionSnapshot());
  const OwnersWork work = begin_owners_work(release.relation);
  const Figures figures = make_version(release, spec, writes);
  end_owners_work(work);
  PopActiveSnapshot();
  return figures;
}

Datum drop_over_time(const OverTimeQuery& release) {
  const Session session = open_session();
  lock_over_time(release);
  require_one_owner(release);
  execute(psprintf("DROP VIEW %s", qualified_name_of(release.relation)), SPI_OK_UTILITY);
  drop_state(release);
  close_session(session);
  PG_RETURN_VOID();
}

/// Measures every promise on the table of all places.
Datum assert_history(FunctionCallInfo fcinfo) {
  const Oid relation = relation_argument(fcinfo);
  const Session session = open_session();
  OverTimeQuery release;
  if (!read_over_time(relation, release))
    ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
                    errmsg("\"%s\" is not a release with a key", get_rel_name(relation))));
  assert_places(release, read_spec(release.spec));
  close_session(session);
  PG_RETURN_VOID();
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_publish) {
  using namespace anonkit::pg;
  PreventCommandDuringRecovery("anon_publish()");
  return return_figures(fcinfo, has_key(fcinfo) ? publish_over_time : publish_view);
}
ANONKIT_FUNCTION(anon_refresh) {
  using namespace anonkit::pg;
  PreventCommandDuringRecovery("anon_refresh()");
  return return_figures(fcinfo, refresh_over_time);
}
ANONKIT_FUNCTION(anon_drop) {
  using namespace anonkit::pg;
  PreventCommandDuringRecovery("anon_drop()");
  OverTimeQuery release;
  return read_over_time(relation_argument(fcinfo), release) ? drop_over_time(release)
                                                            : drop_view(fcinfo);
}
ANONKIT_FUNCTION(anon_release_info) {
  using namespace anonkit::pg;
  OverTimeQuery release;
  if (!read_over_time(PG_GETARG_OID(0), release)) return release_info(fcinfo);
  return write_release_info(fcinfo, {release.source, release.spec}, true);
}
ANONKIT_FUNCTION(anon_release_places) {
  using namespace anonkit::pg;
  OverTimeQuery release;
  if (!read_over_time(PG_GETARG_OID(0), release)) PG_RETURN_NULL();
  PG_RETURN_OID(release.places);
}
ANONKIT_FUNCTION(anon_assert_history) {
  return anonkit::pg::assert_history(fcinfo);
}
