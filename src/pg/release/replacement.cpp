#include "pg/release/replacement.hpp"

#include "pg/backend/session.hpp"

extern "C" {
#include "access/multixact.h"
#include "commands/cluster.h"
#include "commands/matview.h"
#include "commands/tablecmds.h"
#include "pgstat.h"
#include "storage/lmgr.h"
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

constexpr char kCommand[] = "REFRESH MATERIALIZED VIEW";

// A table with the columns of another. PostgreSQL 15 has added the access method.
[[maybe_unused]] Oid make_alike(Oid (*make)(Oid, Oid, Oid, char, LOCKMODE), Relation from) {
  const FormData_pg_class& form = *from->rd_rel;
  return make(RelationGetRelid(from), form.reltablespace, form.relam, form.relpersistence,
              ExclusiveLock);
}
[[maybe_unused]] Oid make_alike(Oid (*make)(Oid, Oid, char, LOCKMODE), Relation from) {
  const FormData_pg_class& form = *from->rd_rel;
  return make(RelationGetRelid(from), form.reltablespace, form.relpersistence, ExclusiveLock);
}

/// The stored query of the release as text, with qualified names.
char* text_of_query(Oid release) {
  return TextDatumGetCString(DirectFunctionCall1(pg_get_viewdef, ObjectIdGetDatum(release)));
}

/// Writes frozen rows, as REFRESH does: readers with an older snapshot see them, too, and not an
/// empty release.
uint64 fill(Oid table, const char* query) {
  SPIExecuteOptions options = {};
  options.read_only = true;
  options.dest = CreateTransientRelDestReceiver(table);
  const int result = SPI_execute_extended(query, &options);
  if (result != SPI_OK_SELECT) elog(ERROR, "query failed: %s", SPI_result_code_string(result));
  return SPI_processed;
}

}  // namespace

Replacement write_replacement(Oid release) {
  Relation relation = table_open(release, NoLock);
  CheckTableNotInUse(relation, kCommand);
  const Oid table = make_alike(make_new_heap, relation);
  table_close(relation, NoLock);
  LockRelationOid(table, AccessExclusiveLock);
  return {table, fill(table, text_of_query(release))};
}

void replace_rows(Oid release, const Replacement& rows) {
  LockRelationOid(release, AccessExclusiveLock);
  Relation relation = table_open(release, NoLock);
  CheckTableNotInUse(relation, kCommand);
  SetMatViewPopulatedState(relation, true);
  finish_heap_swap(release, rows.table, false, false, true, true, RecentXmin, ReadNextMultiXactId(),
                   relation->rd_rel->relpersistence);
  pgstat_count_truncate(relation);
  pgstat_count_heap_insert(relation, static_cast<PgStat_Counter>(rows.rows));
  table_close(relation, NoLock);
}

}  // namespace anonkit::pg
