#include "pg/release/table_writer.hpp"

#include <algorithm>

extern "C" {
#include "access/heapam.h"
#include "access/tableam.h"
#include "access/xact.h"
}

namespace anonkit::pg {
namespace {

constexpr int kOptions = TABLE_INSERT_SKIP_FSM | TABLE_INSERT_FROZEN;

// The limits of a batch, as those of COPY.
constexpr int kBatchRows = 1000;
constexpr Size kBatchBytes = 65535;

}  // namespace

/// Keeps rows until they are a batch. Plain data.
struct TableWriter {
  Relation relation;
  BulkInsertState pages;
  CommandId command;
  MemoryContext context;  ///< holds the slots
  MemoryContext scratch;  ///< reset after each batch
  TupleTableSlot* slots[kBatchRows];
  int made;  ///< slots that exist
  int rows;  ///< in the batch
  Size bytes;
  uint64 written;
};

namespace {

void write_batch(TableWriter& writer) {
  MemoryContext old = MemoryContextSwitchTo(writer.scratch);
  table_multi_insert(writer.relation, writer.slots, writer.rows, writer.command, kOptions,
                     writer.pages);
  MemoryContextSwitchTo(old);
  MemoryContextReset(writer.scratch);
  for (int i = 0; i < writer.rows; ++i) ExecClearTuple(writer.slots[i]);
  writer.written += static_cast<uint64>(writer.rows);
  writer.rows = 0;
  writer.bytes = 0;
}

/// The next slot of the batch.
TupleTableSlot* take_slot(TableWriter& writer) {
  if (writer.rows == writer.made) {
    MemoryContext old = MemoryContextSwitchTo(writer.context);
    writer.slots[writer.made++] = table_slot_create(writer.relation, nullptr);
    MemoryContextSwitchTo(old);
  }
  return writer.slots[writer.rows++];
}

}  // namespace

TableWriter* begin_writing(Oid table) {
  auto* writer = static_cast<TableWriter*>(palloc0(sizeof(TableWriter)));
  writer->relation = table_open(table, NoLock);
  writer->pages = GetBulkInsertState();
  writer->command = GetCurrentCommandId(true);
  writer->context = CurrentMemoryContext;
  writer->scratch =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit batch", ALLOCSET_DEFAULT_SIZES);
  return writer;
}

void write_row(TableWriter& writer, const Datum* values, const bool* nulls) {
  TupleDesc descriptor = RelationGetDescr(writer.relation);
  TupleTableSlot* slot = take_slot(writer);
  std::copy_n(values, descriptor->natts, slot->tts_values);
  std::copy_n(nulls, descriptor->natts, slot->tts_isnull);
  ExecStoreVirtualTuple(slot);
  writer.bytes += heap_compute_data_size(descriptor, slot->tts_values, slot->tts_isnull);
  // The values are the caller's.
  ExecMaterializeSlot(slot);
  if (writer.rows == kBatchRows || writer.bytes > kBatchBytes) write_batch(writer);
}

uint64 end_writing(TableWriter& writer) {
  if (writer.rows > 0) write_batch(writer);
  for (int i = 0; i < writer.made; ++i) ExecDropSingleTupleTableSlot(writer.slots[i]);
  FreeBulkInsertState(writer.pages);
  table_finish_bulk_insert(writer.relation, kOptions);
  table_close(writer.relation, NoLock);
  MemoryContextDelete(writer.scratch);
  const uint64 written = writer.written;
  pfree(&writer);
  return written;
}

}  // namespace anonkit::pg
