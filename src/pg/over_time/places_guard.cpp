#include "pg/over_time/places_guard.hpp"

#include <algorithm>
#include <iterator>

#include "pg/backend/described.hpp"
#include "pg/backend/session.hpp"
#include "pg/release/replacement.hpp"

extern "C" {
#include "access/heapam.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "utils/snapmgr.h"
}

namespace anonkit::pg {
namespace {

bool is_foreign(const PlacesGuard& guard, CommandId command) {
  return command >= guard.since &&
         std::find(std::begin(guard.own), std::end(guard.own), command) == std::end(guard.own);
}

/// True if an update or a deletion holds, unless its transaction was rolled back.
bool is_replaced(HeapTupleHeader row) {
  return (row->t_infomask & HEAP_XMAX_INVALID) == 0 && !HEAP_XMAX_IS_LOCKED_ONLY(row->t_infomask);
}

/// `made_here`: by this transaction, so frozen rows come from COPY FREEZE.
bool has_foreign_command(const PlacesGuard& guard, HeapTupleHeader row, bool made_here) {
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

bool has_foreign_rows(const PlacesGuard& guard, Relation table) {
  const bool made_here = table->rd_createSubid != InvalidSubTransactionId;
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

Oid file_of_places(Relation table) {
  return table->rd_rel->relfilenode;
}

}  // namespace

PlacesGuard guard_places(Oid places) {
  Relation table = open_relation(places);
  const PlacesGuard guard = {places,
                             file_of_places(table),
                             GetCurrentCommandId(false),
                             {InvalidCommandId, InvalidCommandId, InvalidCommandId}};
  relation_close(table, NoLock);
  return guard;
}

CommandId next_command() {
  CommandCounterIncrement();
  return GetCurrentCommandId(false);
}

// A row that the transaction replaced stays in the table until it ends, so every version is seen.
void require_guarded(const PlacesGuard& guard) {
  Relation table = open_relation(guard.places);
  if (file_of_places(table) != guard.file || has_foreign_rows(guard, table))
    refuse_altered(RelationGetRelationName(table), "Its rows are not those that were verified.",
                   "Functions of views, policies and indexes must not write places.");
  relation_close(table, NoLock);
}

}  // namespace anonkit::pg
