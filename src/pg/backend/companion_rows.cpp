// The rows of a companion, on the heap: no statement, no plan, no function of a user.

#include "pg/backend/companion.hpp"
#include "pg/backend/companion_table.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"

extern "C" {
#include "access/genam.h"
#include "access/xact.h"
#include "catalog/indexing.h"
#include "utils/fmgroids.h"
}

namespace anonkit::pg {
namespace {

struct Keys {
  ScanKeyData list[2];
};

Keys keys_of(const char* item, int64 number) {
  Keys keys;
  ScanKeyInit(&keys.list[0], kCompanionItem, BTEqualStrategyNumber, F_TEXTEQ,
              CStringGetTextDatum(item));
  ScanKeyInit(&keys.list[1], kCompanionNumber, BTEqualStrategyNumber, F_INT8EQ,
              Int64GetDatum(number));
  return keys;
}

/// The values, copied out of the page and its TOAST table.
CompanionRow copy_row(HeapTuple tuple, TupleDesc descriptor) {
  CompanionRow row = {true, 0, nullptr, nullptr};
  bool is_null;
  const Datum at = heap_getattr(tuple, kCompanionAt, descriptor, &is_null);
  if (!is_null) row.at = DatumGetTimestampTz(at);
  const Datum content = heap_getattr(tuple, kCompanionContent, descriptor, &is_null);
  if (!is_null) row.content = DatumGetJsonbPCopy(content);
  const Datum bytes = heap_getattr(tuple, kCompanionBytes, descriptor, &is_null);
  if (!is_null) row.bytes = DatumGetByteaPCopy(bytes);
  return row;
}

/// Opens a companion as its check has left it. An index is made without a reader's notice, so the
/// check is repeated.
Relation open_for_writing(Oid companion) {
  Relation table = table_open(companion, ShareRowExclusiveLock);
  const Oid release = release_of_companion(table);
  const char* fault = companion_fault(
      table, release, OidIsValid(release) ? owner_of(release) : table->rd_rel->relowner);
  if (fault != nullptr) refuse_companion(table, release, fault);
  return table;
}

HeapTuple form_row(Relation table, const char* item, int64 number, Jsonb* content, bytea* bytes) {
  Datum values[] = {CStringGetTextDatum(item),
                    Int64GetDatum(number),
                    TimestampTzGetDatum(GetCurrentTimestamp()),
                    PointerGetDatum(content),
                    PointerGetDatum(bytes),
                    ObjectIdGetDatum(release_of_companion(table))};
  bool nulls[] = {false, false, false, content == nullptr, bytes == nullptr, false};
  return heap_form_tuple(RelationGetDescr(table), values, nulls);
}

}  // namespace

// A scan without a snapshot takes the newest one: a transaction that waited for the release's lock,
// or repeats its reads, sees the row that the refresh before it wrote.
CompanionRow read_companion(Oid companion, const char* item, int64 number) {
  Relation table = open_relation(companion);
  Keys keys = keys_of(item, number);
  SysScanDesc scan =
      systable_beginscan(table, key_of_companion(table), true, nullptr, 2, keys.list);
  HeapTuple tuple = systable_getnext(scan);
  CompanionRow row = {};
  if (HeapTupleIsValid(tuple)) row = copy_row(tuple, RelationGetDescr(table));
  systable_endscan(scan);
  table_close(table, NoLock);
  return row;
}

bool sees_companion_row(Oid companion, const char* item, int64 number) {
  Relation table = open_relation(companion);
  Keys keys = keys_of(item, number);
  ItemPointerData places[2] = {};
  for (int i = 0; i < 2; ++i) {
    SysScanDesc scan = systable_beginscan(table, key_of_companion(table), true,
                                          i == 0 ? nullptr : GetActiveSnapshot(), 2, keys.list);
    HeapTuple tuple = systable_getnext(scan);
    if (HeapTupleIsValid(tuple)) places[i] = tuple->t_self;
    systable_endscan(scan);
  }
  table_close(table, NoLock);
  return ItemPointerEquals(&places[0], &places[1]);
}

void for_each_companion_row(Oid companion, const char* item, CompanionRowFunction function,
                            void* state) {
  Relation table = open_relation(companion);
  Relation index = index_open(key_of_companion(table), AccessShareLock);
  Keys keys = keys_of(item, 0);
  SysScanDesc scan = systable_beginscan_ordered(table, index, nullptr, 1, keys.list);
  while (HeapTuple tuple = systable_getnext_ordered(scan, ForwardScanDirection)) {
    CHECK_FOR_INTERRUPTS();
    bool is_null;
    const Datum number = heap_getattr(tuple, kCompanionNumber, RelationGetDescr(table), &is_null);
    function(DatumGetInt64(number), copy_row(tuple, RelationGetDescr(table)), state);
  }
  systable_endscan_ordered(scan);
  index_close(index, AccessShareLock);
  table_close(table, NoLock);
}

void write_companion(Oid companion, const char* item, int64 number, Jsonb* content, bytea* bytes) {
  Relation table = open_for_writing(companion);
  Keys keys = keys_of(item, number);
  SysScanDesc scan =
      systable_beginscan(table, key_of_companion(table), true, nullptr, 2, keys.list);
  HeapTuple old = systable_getnext(scan);
  HeapTuple row = form_row(table, item, number, content, bytes);
  if (HeapTupleIsValid(old))
    CatalogTupleUpdate(table, &old->t_self, row);
  else
    CatalogTupleInsert(table, row);
  systable_endscan(scan);
  table_close(table, NoLock);
  CommandCounterIncrement();
}

void remove_companion_row(Oid companion, const char* item, int64 number) {
  Relation table = open_for_writing(companion);
  Keys keys = keys_of(item, number);
  SysScanDesc scan =
      systable_beginscan(table, key_of_companion(table), true, nullptr, 2, keys.list);
  HeapTuple old = systable_getnext(scan);
  if (HeapTupleIsValid(old)) CatalogTupleDelete(table, &old->t_self);
  systable_endscan(scan);
  table_close(table, NoLock);
  CommandCounterIncrement();
}

}  // namespace anonkit::pg
