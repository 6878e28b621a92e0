// anon_publish, anon_refresh, anon_drop, anon_release_info: the life of a release, with or without
// a key.

#include "pg/over_time/entry.hpp"

#include "pg/backend/companion.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/private_table.hpp"
#include "pg/backend/session.hpp"
#include "pg/over_time/beside.hpp"
#include "pg/over_time/distributed_job.hpp"
#include "pg/over_time/old_state.hpp"
#include "pg/over_time/places_reading.hpp"
#include "pg/over_time/version.hpp"
#include "pg/read/distributed_query.hpp"
#include "pg/release/context.hpp"
#include "pg/release/other_readers.hpp"
#include "pg/release/publish.hpp"
#include "pg/release/release_info.hpp"
#include "pg/release/row_guard.hpp"
#include "pg/release/warnings.hpp"
#include "pg/schedule/listed.hpp"
#include "pg/spec/named_tables.hpp"

extern "C" {
#include "access/xlog.h"
#include "storage/lmgr.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {
namespace {

bool has_key(FunctionCallInfo fcinfo) {
  return value_of_key(spec_of_release(fcinfo), "key") != nullptr;
}

void refuse_weight_column(const Source& source) {
  for (int i = 0; i < source.count; ++i)
    if (strcmp(source.columns[i].name, "weight") == 0)
      ereport(ERROR, (errcode(ERRCODE_DUPLICATE_COLUMN),
                      errmsg("the release would have two columns \"weight\""),
                      errhint("Give weight_column => false, or rename the column in a view.")));
}

/// True for a domain that is declared NOT NULL, or is over such a one.
bool forbids_nulls(Oid type) {
  HeapTuple tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
  if (!HeapTupleIsValid(tuple)) elog(ERROR, "cache lookup failed for type %u", type);
  const auto& form = *reinterpret_cast<Form_pg_type>(GETSTRUCT(tuple));
  const bool forbids = form.typtype == TYPTYPE_DOMAIN && form.typnotnull;
  const Oid base = form.typtype == TYPTYPE_DOMAIN ? form.typbasetype : InvalidOid;
  ReleaseSysCache(tuple);
  return forbids || (OidIsValid(base) && forbids_nulls(base));
}

/// Places withhold values as nulls, which no restore of a dump would put into such a domain.
void refuse_domains_without_nulls(const Source& source) {
  for (int i = source.quasi_identifiers; i < source.count; ++i)
    if (forbids_nulls(source.columns[i].declared_type))
      ereport(ERROR,
              (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
               errmsg("column \"%s\" is of domain %s, which forbids nulls", source.columns[i].name,
                      format_type_be(source.columns[i].declared_type)),
               errdetail("A release with a key withholds values as nulls."),
               errhint("Cast the column to the domain's base type in a view.")));
}

/// Creates the state, the view and the first version. `made` is the view.
Figures publish_over_time(FunctionCallInfo fcinfo, Oid* made) {
  OverTimeQuery release = {};
  NamedTables tables = {};
  Jsonb* placed = places_for_tables(spec_of_release(fcinfo), tables);
  release.spec = names_for_tables(placed, tables);
  const Spec spec = read_spec(release.spec);
  if (spec.over_time.key.count == 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("parameter \"key\" needs at least one column")));
  const Publication wanted = read_publication(fcinfo, spec);
  if (spec.over_time.weight) refuse_weight_column(wanted.source);
  refuse_domains_without_nulls(wanted.source);
  release.source = wanted.source.relation;
  const OwnSettings settings = begin_own_settings();
  lock_source(release.source);
  const SourceWrites writes = source_writes(release.source);
  PushActiveSnapshot(GetTransactionSnapshot());
  const Key key = resolve_key(release.source, spec);
  release.places =
      create_places(get_namespace_name(wanted.schema), wanted.name, wanted.source, key);
  execute(psprintf("CREATE VIEW %s WITH (security_barrier) AS %s", wanted.quoted(),
                   over_time_query(wanted.source, spec.over_time.weight, release)),
          SPI_OK_UTILITY);
  release.relation = made_relation(wanted.name, wanted.schema);
  const OwnersWork work = begin_owners_work(release.relation);
  create_state(release, wanted.source, key);
  const Figures figures = make_version(release, spec, writes);
  warn_of_refused_nulls(wanted.source, spec);
  warn_of_unique_values(release.relation, wanted.source, spec);
  end_owners_work(work);
  PopActiveSnapshot();
  warn_of_replay(spec);
  grant_select(wanted);
  *made = made_relation(wanted.name, wanted.schema);
  const List* private_tables = list_make2_oid(find_companion(*made), release.places);
  require_left(private_tables);
  warn_of_publications(wanted.schema, private_tables);
  end_own_settings(settings);
  return figures;
}

/// Judges a release with others of the same persons. Their sources run code, which must not write
/// the release's places.
void judge_with_others(Oid made, Beside beside) {
  OverTimeQuery release;
  const bool has_places = read_over_time(made, release);
  const RowGuard guard = has_places ? guard_rows(release.places) : RowGuard{};
  judge_beside(made, beside);
  if (has_places) require_guarded(guard);
}

/// Makes the release, and then judges it with others of the same persons.
Made publish(FunctionCallInfo fcinfo) {
  const Beside beside = beside_argument(fcinfo);
  Jsonb* context = context_argument(fcinfo);
  Oid made;
  const Figures figures =
      has_key(fcinfo) ? publish_over_time(fcinfo, &made) : publish_view(fcinfo, &made);
  CommandCounterIncrement();
  PushActiveSnapshot(GetTransactionSnapshot());
  judge_with_others(made, beside);
  PopActiveSnapshot();
  keep_context(made, context);
  warn_of_past_dates(made);
  return {made, figures};
}

}  // namespace

bool is_over_time(Oid relation, OverTimeQuery& release) {
  if (read_over_time(relation, release)) return true;
  if (shows_other_columns(relation, release))
    refuse_state(release.places, "has columns of other names than the release was made of");
  return false;
}

namespace {

/// ShareUpdateExclusiveLock admits one refresh at a time, while readers continue.
/// AccessExclusiveLock serves DROP. It is taken at once: a transaction that has read the release
/// and now refreshes it goes first, where it would wait for a DROP that waits for it.
void lock_over_time(OverTimeQuery& release, LOCKMODE mode) {
  require_owner(release.relation);
  LockRelationOid(release.relation, mode);
  if (!SearchSysCacheExists1(RELOID, ObjectIdGetDatum(release.relation)) ||
      !read_over_time(release.relation, release))
    ereport(ERROR, (errcode(ERRCODE_UNDEFINED_TABLE),
                    errmsg("the release was dropped by another session")));
  require_owner(release.relation);
}

/// Makes the next version as the release's owner.
Figures refresh_over_time(OverTimeQuery& release, Withdrawal* withdrawal) {
  lock_over_time(release,
                 OidIsValid(release.secret) ? AccessExclusiveLock : ShareUpdateExclusiveLock);
  const Spec spec = read_spec(release.spec);
  lock_source(release.source);
  const SourceWrites writes = source_writes(release.source);
  const OwnersWork work = begin_owners_work(release.relation);
  if (OidIsValid(release.secret)) convert_old_state(release, spec);
  PushActiveSnapshot(GetTransactionSnapshot());
  const Figures figures = make_version(release, spec, writes, withdrawal);
  PopActiveSnapshot();
  end_owners_work(work);
  return figures;
}

void refuse_distributed(Oid relation) {
  if (!is_distributed(relation)) return;
  ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                  errmsg("release \"%s\" is distributed", get_rel_name(relation)),
                  errdetail("Its refresh ends transactions, which a function cannot."),
                  errhint("CALL anon_refresh_distributed('%s');", qualified_name_of(relation))));
}

/// Drops the view and its rows, on all servers.
Datum drop_distributed(Oid relation) {
  const Session session = open_session();
  DistributedQuery release;
  require_owner(relation);
  LockRelationOid(relation, AccessExclusiveLock);
  if (get_rel_name(relation) == nullptr || !read_distributed(relation, release))
    ereport(ERROR, (errcode(ERRCODE_UNDEFINED_TABLE),
                    errmsg("the release was dropped by another session")));
  require_owner(relation);
  require_same_owner(relation, release.rows);
  const OwnSettings settings = begin_own_settings();
  tie_companion(relation);
  unschedule_quietly(relation);
  forget_steps(relation);
  execute(psprintf("DROP VIEW %s", qualified_name_of(relation)), SPI_OK_UTILITY);
  execute(psprintf("DROP TABLE %s", qualified_name_of(release.rows)), SPI_OK_UTILITY);
  end_own_settings(settings);
  close_session(session);
  PG_RETURN_VOID();
}

}  // namespace

Figures refresh_release(FunctionCallInfo fcinfo) {
  OverTimeQuery release;
  const Oid relation = relation_argument(fcinfo);
  refuse_distributed(relation);
  const Figures figures =
      is_over_time(relation, release) ? refresh_over_time(release, nullptr) : refresh_view(fcinfo);
  warn_of_past_dates(relation);
  return figures;
}

namespace {

Made refresh(FunctionCallInfo fcinfo) {
  const Figures figures = refresh_release(fcinfo);
  return {PG_GETARG_OID(0), figures};
}

void require_release(Oid relation) {
  ReleaseQuery release;
  SetQuery set;
  if (read_any_release(relation, release) || read_set_query(relation, set)) return;
  ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
                  errmsg("\"%s\" is not a release", get_rel_name(relation))));
}

Datum context(FunctionCallInfo fcinfo) {
  const MemoryContext outer = CurrentMemoryContext;
  const Oid release = relation_argument(fcinfo);
  const Session session = open_session();
  require_release(release);
  const Jsonb* found = context_of_release(fcinfo, release);
  void* kept = found == nullptr ? nullptr : copied(found, outer);
  close_session(session);
  if (kept == nullptr) PG_RETURN_NULL();
  PG_RETURN_POINTER(kept);
}

Datum withdraw_class(FunctionCallInfo fcinfo) {
  const Session session = open_session();
  OverTimeQuery release;
  const Oid relation = relation_argument(fcinfo);
  if (!is_over_time(relation, release))
    ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
                    errmsg("\"%s\" is not a release with a key", get_rel_name(relation))));
  Withdrawal withdrawal = {PG_GETARG_ARRAYTYPE_P(1), 0};
  refresh_over_time(release, &withdrawal);
  close_session(session);
  PG_RETURN_INT64(withdrawal.rows);
}

/// DROP of the view takes its places and its companion along. Version 0.2.0 had other tables.
Datum drop_over_time(OverTimeQuery& release) {
  const Session session = open_session();
  lock_over_time(release, AccessExclusiveLock);
  tie_state(release);
  unschedule_quietly(release.relation);
  execute(psprintf("DROP VIEW %s", qualified_name_of(release.relation)), SPI_OK_UTILITY);
  for (const Oid table : {release.waiting, release.secret})
    if (OidIsValid(table))
      execute(psprintf("DROP TABLE %s", qualified_name_of(table)), SPI_OK_UTILITY);
  close_session(session);
  PG_RETURN_VOID();
}

/// An error unless the caller may read the places, and they are as the last refresh left them.
void require_sealed_places(const OverTimeQuery& release) {
  require_select(release.places);
  const OwnersWork work = begin_owners_work(release.relation);
  verify_state(release, read_spec(release.spec));
  end_owners_work(work);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_publish) {
  using namespace anonkit::pg;
  require_writable("anon_publish()");
  return return_figures(fcinfo, publish);
}
ANONKIT_FUNCTION(anon_refresh) {
  using namespace anonkit::pg;
  require_writable("anon_refresh()");
  return return_figures(fcinfo, refresh);
}
ANONKIT_FUNCTION(anon_drop) {
  using namespace anonkit::pg;
  require_writable("anon_drop()");
  OverTimeQuery release;
  const Oid relation = relation_argument(fcinfo);
  if (is_distributed(relation)) return drop_distributed(relation);
  return is_over_time(relation, release) ? drop_over_time(release) : drop_view(fcinfo);
}
ANONKIT_FUNCTION(anon_withdraw_class) {
  using namespace anonkit::pg;
  require_writable("anon_withdraw_class()");
  return withdraw_class(fcinfo);
}
ANONKIT_FUNCTION(anon_context) {
  return anonkit::pg::context(fcinfo);
}
ANONKIT_FUNCTION(anon_release_info) {
  using namespace anonkit::pg;
  OverTimeQuery release;
  SetQuery set;
  if (read_set_query(PG_GETARG_OID(0), set)) return write_set_info(fcinfo, set);
  DistributedQuery distributed;
  if (read_distributed(PG_GETARG_OID(0), distributed))
    return write_release_info(fcinfo, {distributed.source, distributed.spec}, true);
  if (!read_over_time(PG_GETARG_OID(0), release)) return release_info(fcinfo);
  return write_release_info(fcinfo, {release.source, release.spec}, true);
}
ANONKIT_FUNCTION(anon_release_places) {
  using namespace anonkit::pg;
  OverTimeQuery release;
  if (!is_over_time(PG_GETARG_OID(0), release)) PG_RETURN_NULL();
  const Session session = open_session();
  require_sealed_places(release);
  close_session(session);
  PG_RETURN_OID(release.places);
}
