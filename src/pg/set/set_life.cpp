// The bodies of anon_grant_set, anon_refresh_set and anon_drop_set: the life of a set.

#include <cstring>

#include "pg/backend/being_refreshed.hpp"
#include "pg/backend/companion.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/release/context.hpp"
#include "pg/release/other_readers.hpp"
#include "pg/release/publish.hpp"
#include "pg/release/replacement.hpp"
#include "pg/set/set_attached.hpp"
#include "pg/set/set_beside.hpp"
#include "pg/set/set_description.hpp"
#include "pg/set/set_growth.hpp"
#include "pg/set/set_persons.hpp"
#include "pg/spec/arguments.hpp"

extern "C" {
#include "access/xact.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
}

namespace anonkit::pg {
namespace {

/// The released tables as the objects of a statement.
char* list_of_tables(const SetQuery& set) {
  StringInfoData list;
  initStringInfo(&list);
  for (int t = 0; t < set.released.count; ++t)
    appendStringInfo(&list, "%s%s", t > 0 ? ", " : "", qualified_name_of(set.released.tables[t]));
  return list.data;
}

char* role_argument(FunctionCallInfo fcinfo) {
  require_arguments(fcinfo, {"role"});
  const char* role = text_argument(fcinfo, "role");
  if (std::strcmp(role, "public") == 0) return pstrdup("PUBLIC");
  get_role_oid(role, false);
  return pstrdup(quote_identifier(role));
}

Datum grant_set(FunctionCallInfo fcinfo) {
  const Session session = open_session();
  const Oid schema = schema_argument(fcinfo);
  const char* role = role_argument(fcinfo);
  // A refresh keeps the tables, and so their privileges.
  const SetQuery set = lock_set(schema, AccessShareLock);
  const OwnSettings settings = begin_own_settings();
  execute(psprintf("GRANT USAGE ON SCHEMA %s TO %s",
                   quote_identifier(get_namespace_name(set.schema)), role),
          SPI_OK_UTILITY);
  execute(psprintf("GRANT SELECT ON %s TO %s", list_of_tables(set), role), SPI_OK_UTILITY);
  end_own_settings(settings);
  close_session(session);
  PG_RETURN_VOID();
}

/// The tables in the order of the work, whose description may list its sources in another one.
Oid* released_in_order(const SetQuery& set, const SetTables& tables) {
  auto* released = allocate<Oid>(tables.count);
  for (int t = 0; t < tables.count; ++t) {
    const int place = place_of(set.sources, tables.tables[t].relation);
    released[t] = set.released.tables[place];
  }
  return released;
}

/// Locks all tables against readers. It never waits for one while it excludes readers of another:
/// a reader who joins the tables in any order cannot be part of a deadlock.
void lock_against_readers(const Oid* tables, int count) {
  int waited = 0;
  for (;;) {
    CHECK_FOR_INTERRUPTS();
    LockRelationOid(tables[waited], AccessExclusiveLock);
    int busy = 0;
    while (busy < count &&
           (busy == waited || ConditionalLockRelationOid(tables[busy], AccessExclusiveLock)))
      ++busy;
    if (busy == count) return;
    for (int t = 0; t < busy; ++t)
      if (t != waited) UnlockRelationOid(tables[t], AccessExclusiveLock);
    UnlockRelationOid(tables[waited], AccessExclusiveLock);
    waited = busy;
  }
}

const char* const* names_of_tables(const Oid* tables, int count) {
  auto* names = allocate<const char*>(count);
  for (int t = 0; t < count; ++t) names[t] = relation_name(tables[t]);
  return names;
}

/// Writes and audits the new rows beside the old ones, and then exchanges all of them at once. An
/// index that is built again runs code of the owner, who may write the tables exchanged before.
void replace_tables(const SetQuery& set, const SetWork& work, const SetPromises& promises) {
  const int count = work.tables.count;
  const Oid* released = released_in_order(set, work.tables);
  auto* beside = allocate<Oid>(count);
  const char* const* names = names_of_tables(released, count);
  const PreparedSet prepared = prepared_set(work, names);
  for (int t = 0; t < count; ++t) {
    LockRelationOid(released[t], ExclusiveLock);
    require_columns(released[t], prepared, t);
    beside[t] = make_replacement(released[t], kRefreshTable);
  }
  refuse_attached(set);
  CommandCounterIncrement();
  write_rows_into(beside, released, prepared);
  audit_written(work, beside, names, promises);
  lock_against_readers(released, count);
  for (int t = 0; t < count; ++t)
    exchange_files(released[t], beside[t], static_cast<uint64>(work.published[t]), kRefreshTable);
  for (int t = 0; t < count; ++t)
    require_untouched(released[t], static_cast<uint64>(work.published[t]),
                      relation_name(released[t]));
}

/// Old rows link the versions of a set, whatever their pseudonyms.
void warn_of_versions(const SetQuery& set, Beside beside) {
  if (beside == Beside::ignore) return;
  ereport(NOTICE, (errmsg("set \"%s\" replaces a version that readers may have kept",
                          get_namespace_name(set.schema)),
                   errdetail("The pseudonyms are new, but records that did not change resemble "
                             "those of the earlier version. What both versions tell together was "
                             "not measured.")));
}

/// The sources as they were described, by their present names.
SetTables read_sources(const SetQuery& set) {
  hold_tables(set.sources);
  hold_tables(set.labels);
  const SetTables sources = read_published_tables(described_tables(set));
  require_same_tables(set.sources, sources);
  return sources;
}

/// All rows anew.
SetWork build_again(const SetQuery& set, const SetPromises& promises, Beside beside) {
  const SetWork work = prepare_set(read_sources(set), promises);
  judge_set_beside({get_namespace_name(set.schema), set.description}, work, promises, beside);
  replace_tables(set, work, promises);
  note_set(set, work, promises);
  PopActiveSnapshot();
  warn_of_versions(set, beside);
  warn_of_unsent_rows(set.schema, set.released);
  return work;
}

void tell_left_out(const SetQuery& set, const SetWork& work) {
  if (!work.has_left_out) return;
  ereport(NOTICE,
          (errmsg("rows of set \"%s\" belong to other persons now", get_namespace_name(set.schema)),
           errdetail("They are not published again, nor is anything that hangs on them.")));
}

/// The rows of new persons, beside those that are there, which stay as they are.
SetWork grow(const SetQuery& set, const SetPromises& promises, Beside beside) {
  for (int t = 0; t < set.released.count; ++t)
    LockRelationOid(set.released.tables[t], ExclusiveLock);
  RowGuard* guards = guard_tables(set.released);
  auto* known = allocate<KnownPersons>(1);
  *known = read_known_persons(set);
  const SetWork work = prepare_set(read_sources(set), promises, known);
  tell_left_out(set, work);
  if (has_too_few_persons(work, promises)) {
    ereport(NOTICE, (errmsg("nothing was added to set \"%s\"", get_namespace_name(set.schema)),
                     errdetail("Fewer than k persons are new. They wait for others.")));
    require_guarded_tables(guards, set.released.count);
    PopActiveSnapshot();
    return work;
  }
  judge_set_beside({get_namespace_name(set.schema), set.description}, work, promises, beside);
  append_rows(set, work, promises, released_in_order(set, work.tables), guards);
  note_set(set, work, promises);
  note_persons(set, work);
  require_guarded_tables(guards, set.released.count);
  PopActiveSnapshot();
  return work;
}

void refresh(FunctionCallInfo fcinfo) {
  const Beside beside = beside_argument(fcinfo);
  const SetQuery set = lock_set(schema_argument(fcinfo), ShareUpdateExclusiveLock);
  begin_refresh(set.description, "set", get_namespace_name(set.schema));
  require_newer_snapshot(set.description, psprintf("set \"%s\"", get_namespace_name(set.schema)));
  refuse_attached(set);
  const OwnersWork own = begin_owners_work(set.description);
  const SetPromises promises = promises_in(set.spec);
  const SetWork work =
      key_of_set(set).count > 0 ? grow(set, promises, beside) : build_again(set, promises, beside);
  end_owners_work(own);
  warn_of_past_dates(read_context(find_companion(set.description)),
                     psprintf("set \"%s\"", get_namespace_name(set.schema)));
  return_table_rows(work, names_of_tables(released_in_order(set, work.tables), work.tables.count),
                    reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo));
}

Datum refresh_set(FunctionCallInfo fcinfo) {
  InitMaterializedSRF(fcinfo, 0);
  require_writable("anon_refresh_set()");
  const Session session = open_session();
  refresh(fcinfo);
  close_session(session);
  return static_cast<Datum>(0);
}

/// Without CASCADE: a view of a user on the tables, or a table that was added to the schema, keeps
/// the set, and the error names it.
Datum drop_set(FunctionCallInfo fcinfo) {
  const Session session = open_session();
  const Oid schema = schema_argument(fcinfo);
  const SetQuery set = lock_set(schema, AccessExclusiveLock);
  const OwnSettings settings = begin_own_settings();
  const char* tables = list_of_tables(set);
  tie_companion(set.description);
  execute(psprintf("DROP VIEW %s", qualified_name_of(set.description)), SPI_OK_UTILITY);
  execute(psprintf("DROP TABLE %s", tables), SPI_OK_UTILITY);
  execute(psprintf("DROP SCHEMA %s", quote_identifier(get_namespace_name(set.schema))),
          SPI_OK_UTILITY);
  end_own_settings(settings);
  close_session(session);
  PG_RETURN_VOID();
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_grant_set) {
  using namespace anonkit::pg;
  require_writable("anon_grant_set()");
  return grant_set(fcinfo);
}
ANONKIT_FUNCTION(anon_refresh_set) {
  return anonkit::pg::refresh_set(fcinfo);
}
ANONKIT_FUNCTION(anon_drop_set) {
  using namespace anonkit::pg;
  require_writable("anon_drop_set()");
  return drop_set(fcinfo);
}
