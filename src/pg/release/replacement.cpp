#include "pg/release/replacement.hpp"

#include "pg/release/table_writer.hpp"

extern "C" {
#include "access/multixact.h"
#include "commands/cluster.h"
#include "commands/matview.h"
#include "commands/tablecmds.h"
#include "pgstat.h"
#include "storage/lmgr.h"
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

void add_to_table(const ReleasedRows& rows, void* state) {
  for (int64 record = 0; record < rows.records; ++record) {
    CHECK_FOR_INTERRUPTS();
    write_row(*static_cast<TableWriter*>(state), rows.values, rows.nulls);
  }
}

}  // namespace

void require_types(Oid release, TupleDesc rows) {
  Relation relation = table_open(release, NoLock);
  TupleDesc columns = RelationGetDescr(relation);
  if (columns->natts != rows->natts) elog(ERROR, "a release has lost or gained columns");
  for (int i = 0; i < columns->natts; ++i) {
    const Form_pg_attribute column = TupleDescAttr(columns, i);
    const Form_pg_attribute now = TupleDescAttr(rows, i);
    if (column->atttypid == now->atttypid && column->atttypmod == now->atttypmod) continue;
    ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                    errmsg("column \"%s\" of release \"%s\" would change its type from %s to %s",
                           NameStr(column->attname), RelationGetRelationName(relation),
                           format_type_with_typemod(column->atttypid, column->atttypmod),
                           format_type_with_typemod(now->atttypid, now->atttypmod)),
                    errdetail("The source's column has another type than at publication."),
                    errhint("Use anon_drop and anon_publish.")));
  }
  table_close(relation, NoLock);
}

Replacement write_replacement(Oid release, PreparedRelease& prepared) {
  Relation relation = table_open(release, NoLock);
  CheckTableNotInUse(relation, kCommand);
  // Values of other types would be taken for bytes of these.
  require_types(release, prepared_columns(prepared));
  const Oid table = make_alike(make_new_heap, relation);
  table_close(relation, NoLock);
  LockRelationOid(table, AccessExclusiveLock);
  TableWriter* writer = begin_writing(table);
  const Figures figures = put_prepared(prepared, add_to_table, writer);
  return {table, end_writing(*writer), figures};
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
