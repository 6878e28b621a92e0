#include "pg/release/sorted_spool.hpp"

#include <algorithm>

extern "C" {
#include "catalog/pg_operator.h"
}

namespace anonkit::pg {
namespace {

/// Columns before the spooled ones: the key and the row.
constexpr int kBefore = 2;

TupleDesc sorted_columns(const Run& run) {
  TupleDesc descriptor = CreateTemplateTupleDesc(run.source.spooled_count() + kBefore);
  TupleDescInitEntry(descriptor, 1, "key", INT8OID, -1, 0);
  TupleDescInitEntry(descriptor, 2, "row", INT4OID, -1, 0);
  for (int i = 1; i <= run.source.spooled_count(); ++i)
    TupleDescCopyEntry(descriptor, static_cast<AttrNumber>(i + kBefore),
                       run.loaded.spool_descriptor, static_cast<AttrNumber>(i));
  return descriptor;
}

void put_spool(const Run& run, const int64* keys, TupleDesc descriptor, Tuplesortstate* sort) {
  TupleTableSlot* from = MakeSingleTupleTableSlot(run.loaded.spool_descriptor, &TTSOpsMinimalTuple);
  TupleTableSlot* to = MakeSingleTupleTableSlot(descriptor, &TTSOpsVirtual);
  tuplestore_rescan(run.loaded.spool);
  for (int32 row = 0; tuplestore_gettupleslot(run.loaded.spool, true, false, from); ++row) {
    CHECK_FOR_INTERRUPTS();
    if (keys[row] == 0) continue;
    slot_getallattrs(from);
    ExecClearTuple(to);
    to->tts_values[0] = Int64GetDatum(keys[row]);
    to->tts_values[1] = Int32GetDatum(row);
    to->tts_isnull[0] = to->tts_isnull[1] = false;
    std::copy_n(from->tts_values, run.source.spooled_count(), to->tts_values + kBefore);
    std::copy_n(from->tts_isnull, run.source.spooled_count(), to->tts_isnull + kBefore);
    ExecStoreVirtualTuple(to);
    tuplesort_puttupleslot(sort, to);
  }
  tuplestore_end(run.loaded.spool);
}

}  // namespace

void for_each_by_key(const Run& run, const int64* keys,
                     void (*receive)(const SpooledRow& row, void* state), void* state) {
  TupleDesc descriptor = sorted_columns(run);
  AttrNumber key = 1;
  Oid less = Int8LessOperator;
  Oid collation = InvalidOid;
  bool nulls_first = false;
  Tuplesortstate* sort = tuplesort_begin_heap(descriptor, 1, &key, &less, &collation, &nulls_first,
                                              work_mem, nullptr, TUPLESORT_NONE);
  put_spool(run, keys, descriptor, sort);
  tuplesort_performsort(sort);
  TupleTableSlot* slot = MakeSingleTupleTableSlot(descriptor, &TTSOpsMinimalTuple);
  while (tuplesort_gettupleslot(sort, true, false, slot, nullptr)) {
    CHECK_FOR_INTERRUPTS();
    slot_getallattrs(slot);
    receive({DatumGetInt32(slot->tts_values[1]), slot->tts_values + kBefore,
             slot->tts_isnull + kBefore},
            state);
  }
  tuplesort_end(sort);
}

}  // namespace anonkit::pg
