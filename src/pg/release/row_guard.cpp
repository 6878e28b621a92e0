#include "pg/release/row_guard.hpp"

#include <algorithm>
#include <iterator>

#include "pg/backend/described.hpp"
#include "pg/backend/session.hpp"
#include "pg/release/replacement.hpp"

extern "C" {
#include "access/heapam.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "catalog/pg_am.h"
#include "utils/snapmgr.h"
}

namespace anonkit::pg {
namespace {

bool is_foreign(const RowGuard& guard, CommandId command) {
  return command >= guard.since &&
         std::find(std::begin(guard.own), std::end(guard.own), command) == std::end(guard.own);
}

/// True if an update or a deletion holds, unless its transaction was rolled back.
bool is_replaced(HeapTupleHeader row) {
  return (row->t_infomask & HEAP_XMAX_INVALID) == 0 && !HEAP_XMAX_IS_LOCKED_ONLY(row->t_infomask);
}

/// `made_here`: by this transaction, so frozen rows come from COPY FREEZE.
bool has_foreign_command(const RowGuard& guard, HeapTupleHeader row, bool made_here) {
  if (HeapTupleHeaderXminFrozen(row)) {
    if (made_here) return true;
  } else if (TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetXmin(row)) &&
             is_foreign(guard, HeapTupleHeaderGetCmin(row))) {
    return true;
  }
  return is_replaced(row) &&
         TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetUpdateXid(row)) &&
         is_foreign(guard, HeapTupleHeaderGetCmax(row));
}

bool has_foreign_rows(const RowGuard& guard, Relation table) {
  if (table->rd_rel->relam != HEAP_TABLE_AM_OID) return false;
  const bool made_here = !guard.has_frozen && table->rd_createSubid != InvalidSubTransactionId;
  bool found = false;
  TableScanDesc scan = table_beginscan(table, SnapshotAny, 0, nullptr);
  while (HeapTuple row = found ? nullptr : heap_getnext(scan, ForwardScanDirection)) {
    CHECK_FOR_INTERRUPTS();
    found = has_foreign_command(guard, row->t_data, made_here) ||
            was_changed_after(GetActiveSnapshot(), row->t_data);
  }
  table_endscan(scan);
  return found;
}

Oid file_number(Relation table) {
  return table->rd_rel->relfilenode;
}

}  // namespace

RowGuard guard_rows(Oid table) {
  Relation opened = open_relation(table);
  const RowGuard guard = {table,
                          file_number(opened),
                          GetCurrentCommandId(false),
                          {InvalidCommandId, InvalidCommandId, InvalidCommandId},
                          false};
  relation_close(opened, NoLock);
  return guard;
}

CommandId next_command() {
  CommandCounterIncrement();
  return GetCurrentCommandId(false);
}

// A row that the transaction replaced stays in the table until it ends, so every version is seen.
void require_guarded(const RowGuard& guard) {
  Relation table = open_relation(guard.table);
  if (file_number(table) != guard.file || has_foreign_rows(guard, table))
    refuse_altered(RelationGetRelationName(table), "Its rows are not those that were verified.",
                   "Functions of views, policies and indexes must not write releases.");
  relation_close(table, NoLock);
}

}  // namespace anonkit::pg
