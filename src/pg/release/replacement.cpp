#include "pg/release/replacement.hpp"

#include <cstring>

#include "pg/backend/catalog_rows.hpp"
#include "pg/backend/described.hpp"
#include "pg/backend/session.hpp"
#include "pg/release/release_query.hpp"
#include "pg/release/table_writer.hpp"

extern "C" {
#include "access/heapam.h"
#include "access/multixact.h"
#include "access/tableam.h"
#include "access/transam.h"
#include "access/xact.h"
#include "catalog/pg_am.h"
#include "commands/cluster.h"
#include "commands/matview.h"
#include "commands/tablecmds.h"
#include "pgstat.h"
#include "storage/lmgr.h"
#include "storage/predicate.h"
#include "utils/snapmgr.h"
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

/// Runs when an error is raised, before it is logged or sent.
void hide_rows(void*) {
  const int code = geterrcode();
  if (code == ERRCODE_EXCLUSION_VIOLATION) {
    errdetail("Two rows conflict under an exclusion constraint.");
    errhint("Drop the constraint, or leave one of the rows out of the source.");
  }
  if (code != ERRCODE_UNIQUE_VIOLATION && code != ERRCODE_CARDINALITY_VIOLATION) return;
  errdetail("Two rows agree in the columns of a unique index.");
  errhint("Drop the index, or make the source's column unique.");
}

}  // namespace

void begin_hiding_rows(HiddenRows& hidden) {
  hidden.callback = {error_context_stack, hide_rows, nullptr};
  error_context_stack = &hidden.callback;
}

void end_hiding_rows(const HiddenRows& hidden) {
  error_context_stack = hidden.callback.previous;
}

void refuse_type(const char* column, const FormData_pg_attribute& before,
                 const FormData_pg_attribute& now) {
  ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                  errmsg("%s would change its type from %s to %s", column,
                         format_type_with_typemod(before.atttypid, before.atttypmod),
                         format_type_with_typemod(now.atttypid, now.atttypmod)),
                  errdetail("The source's column has another type than at publication."),
                  errhint("Use anon_drop and anon_publish.")));
  pg_unreachable();
}

void require_order(const List* defined, TupleDesc rows) {
  for (int i = 0; i < list_length(defined) && i < rows->natts; ++i) {
    const char* name = strVal(list_nth(defined, i));
    if (std::strcmp(name, NameStr(TupleDescAttr(rows, i)->attname)) == 0) continue;
    for (int other = 0; other < rows->natts; ++other)
      if (std::strcmp(name, NameStr(TupleDescAttr(rows, other)->attname)) == 0)
        ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                        errmsg("the source's columns have another order than at publication"),
                        errdetail("Column \"%s\" would be taken for another one.", name),
                        errhint("Use anon_drop and anon_publish.")));
  }
}

void require_types(Oid release, TupleDesc rows) {
  require_order(names_at_publication(release), rows);
  Relation relation = table_open(release, NoLock);
  TupleDesc columns = RelationGetDescr(relation);
  if (columns->natts != rows->natts) elog(ERROR, "a release has lost or gained columns");
  for (int i = 0; i < columns->natts; ++i) {
    const Form_pg_attribute column = TupleDescAttr(columns, i);
    const Form_pg_attribute now = TupleDescAttr(rows, i);
    if (column->atttypid == now->atttypid && column->atttypmod == now->atttypmod) continue;
    refuse_type(psprintf("column \"%s\" of release \"%s\"", NameStr(column->attname),
                         RelationGetRelationName(relation)),
                *column, *now);
  }
  table_close(relation, NoLock);
}

namespace {

/// The file of a relation under a snapshot; null: the newest state.
RelFileNumber file_of(Oid relation, Snapshot snapshot) {
  ScanKeyData key = oid_key(Anum_pg_class_oid, relation);
  RelFileNumber file = InvalidOid;
  for_catalog_rows<FormData_pg_class>(
      RelationRelationId, ClassOidIndexId, &key, 1,
      [&](const FormData_pg_class& found) { file = found.relfilenode; }, snapshot);
  return file;
}

/// True if a transaction that the snapshot does not see has committed the change.
bool is_newer(TransactionId changer, Snapshot snapshot) {
  return TransactionIdIsNormal(changer) && !TransactionIdIsCurrentTransactionId(changer) &&
         XidInMVCCSnapshot(changer, snapshot) && TransactionIdDidCommit(changer);
}

}  // namespace

bool was_changed_after(Snapshot snapshot, HeapTupleHeader row) {
  if (is_newer(HeapTupleHeaderGetXmin(row), snapshot)) return true;
  return (row->t_infomask & HEAP_XMAX_INVALID) == 0 && !HEAP_XMAX_IS_LOCKED_ONLY(row->t_infomask) &&
         is_newer(HeapTupleHeaderGetUpdateXid(row), snapshot);
}

namespace {

/// True if a row was added or deleted after the active snapshot was taken. That snapshot keeps
/// VACUUM from removing such rows, and from freezing them.
bool has_newer_rows(Oid release) {
  Relation relation = table_open(release, NoLock);
  bool found = false;
  if (relation->rd_rel->relam == HEAP_TABLE_AM_OID) {
    TableScanDesc scan = table_beginscan(relation, SnapshotAny, 0, nullptr);
    while (HeapTuple row = found ? nullptr : heap_getnext(scan, ForwardScanDirection)) {
      CHECK_FOR_INTERRUPTS();
      found = was_changed_after(GetActiveSnapshot(), row->t_data);
    }
    table_endscan(scan);
  }
  table_close(relation, NoLock);
  return found;
}

}  // namespace

bool has_present_rows(Oid release) {
  return file_of(release, GetActiveSnapshot()) == file_of(release, nullptr) &&
         !has_newer_rows(release);
}

Oid make_replacement(Oid relation, const char* command) {
  Relation opened = table_open(relation, NoLock);
  CheckTableNotInUse(opened, command);
  const Oid table = make_alike(make_new_heap, opened);
  table_close(opened, NoLock);
  LockRelationOid(table, AccessExclusiveLock);
  hold_relation(table);  // its owner's code can alter it before the rows are judged
  return table;
}

namespace {

/// An error if rows of one table could not be read as rows of the other. The index of a table that
/// was exchanged before may run code of the owner, which can alter either.
void require_alike(Relation relation, Oid replacement) {
  Relation other = table_open(replacement, NoLock);
  TupleDesc columns = RelationGetDescr(relation);
  TupleDesc rows = RelationGetDescr(other);
  bool alike = columns->natts == rows->natts && relation->rd_rel->relam == other->rd_rel->relam &&
               relation->rd_rel->relpersistence == other->rd_rel->relpersistence;
  for (int i = 0; alike && i < columns->natts; ++i)
    alike = TupleDescAttr(columns, i)->atttypid == TupleDescAttr(rows, i)->atttypid &&
            TupleDescAttr(columns, i)->atttypmod == TupleDescAttr(rows, i)->atttypmod;
  table_close(other, NoLock);
  if (!alike)
    refuse_altered(RelationGetRelationName(relation), "Its new rows have columns of other types.",
                   "Functions of indexes must not alter relations.");
}

bool is_as_written(HeapTupleHeader row) {
  const bool remains =
      (row->t_infomask & HEAP_XMAX_INVALID) != 0 || HEAP_XMAX_IS_LOCKED_ONLY(row->t_infomask);
  return HeapTupleHeaderXminFrozen(row) && remains;
}

}  // namespace

// The rows were written as frozen ones (table_writer.cpp), which no other statement does.
void require_untouched(Oid written, uint64 rows, const char* name) {
  Relation table = table_open(written, NoLock);
  uint64 found = 0;
  if (table->rd_rel->relam == HEAP_TABLE_AM_OID) {
    TableScanDesc scan = table_beginscan(table, SnapshotAny, 0, nullptr);
    HeapTuple row = heap_getnext(scan, ForwardScanDirection);
    for (; row != nullptr && is_as_written(row->t_data); ++found) {
      CHECK_FOR_INTERRUPTS();
      row = heap_getnext(scan, ForwardScanDirection);
    }
    if (row != nullptr || found != rows)
      refuse_altered(name, "Its new rows are not those that were verified.",
                     "Functions of views and policies must not alter relations.");
    table_endscan(scan);
  }
  table_close(table, NoLock);
}

void exchange_files(Oid relation, Oid replacement, uint64 rows, const char* command) {
  Relation opened = table_open(relation, NoLock);
  CheckTableNotInUse(opened, command);
  require_alike(opened, replacement);
  require_untouched(replacement, rows, RelationGetRelationName(opened));
  CheckTableForSerializableConflictIn(opened);
  HiddenRows hidden;
  begin_hiding_rows(hidden);
  finish_heap_swap(relation, replacement, false, false, true, true, RecentXmin,
                   ReadNextMultiXactId(), opened->rd_rel->relpersistence);
  end_hiding_rows(hidden);
  pgstat_count_truncate(opened);
  pgstat_count_heap_insert(opened, static_cast<PgStat_Counter>(rows));
  table_close(opened, NoLock);
}

Replacement write_replacement(Oid release, PreparedRelease& prepared) {
  // Values of other types would be taken for bytes of these.
  require_types(release, prepared_columns(prepared));
  const Oid table = make_replacement(release, kCommand);
  TableWriter* writer = begin_writing(table);
  const Figures figures = put_prepared(prepared, add_to_table, writer);
  return {table, end_writing(*writer), figures};
}

void replace_rows(Oid release, const Replacement& rows) {
  LockRelationOid(release, AccessExclusiveLock);
  Relation relation = table_open(release, NoLock);
  CheckTableNotInUse(relation, kCommand);
  SetMatViewPopulatedState(relation, true);
  table_close(relation, NoLock);
  exchange_files(release, rows.table, rows.rows, kCommand);
}

}  // namespace anonkit::pg
