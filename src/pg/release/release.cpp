// anon_release: the query behind every release.

#include <algorithm>

#include "pg/backend/session.hpp"
#include "pg/release/release.hpp"
#include "pg/release/run.hpp"
#include "pg/spec/named_tables.hpp"

extern "C" {
#include "catalog/pg_operator.h"
}

namespace anonkit::pg {
namespace {

Figures latest;
bool has_latest = false;

/// A computed release before its writing. Plain data, owned by a memory context.
struct Prepared {
  Oid source;
  Jsonb* spec;
  Run run;
};
Prepared* prepared = nullptr;

void forget_prepared(void* gone) {
  if (prepared == gone) prepared = nullptr;
}

/// The run prepared for this source and spec, which can be taken once; else null.
const Run* take_prepared(Oid source, Jsonb* spec) {
  Prepared* found = prepared;
  if (found == nullptr || found->source != source ||
      compareJsonbContainers(&found->spec->root, &spec->root) != 0)
    return nullptr;
  prepared = nullptr;
  return &found->run;
}

/// The fingerprint of a row's published values beside the masked ones.
const Fingerprint& published_fingerprint(const Run& run, int64 row) {
  return run.withholds(row) ? run.loaded.kept_fingerprints[row] : run.loaded.fingerprints[row];
}

int compare_rows(const void* a, const void* b, void* argument) {
  CHECK_FOR_INTERRUPTS();
  const Run& run = *static_cast<const Run*>(argument);
  const Fingerprint& p = published_fingerprint(run, *static_cast<const int32*>(a));
  const Fingerprint& q = published_fingerprint(run, *static_cast<const int32*>(b));
  return p == q ? 0 : p < q ? -1 : 1;
}

/// The first place of each class in the release, and last that of suppressed rows.
int64* places_of_classes(const Run& run) {
  int64* places = allocate<int64>(run.published_classes + 1);
  places[0] = 0;
  for (int32 c = 0; c < run.published_classes; ++c)
    places[c + 1] = places[c] + run.published_sizes[c];
  return places;
}

/// The order of a release's rows: by masked values, then by the fingerprint of the other published
/// values. It depends only on published values, so it reveals nothing about the source. Suppressed
/// rows come last.
int32* row_order(const Run& run) {
  int32* rows = allocate<int32>(run.loaded.rows);
  int64* next = places_of_classes(run);
  for (int64 row = 0; row < run.loaded.rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    const int32 c = run.published_class_of(row);
    rows[next[c == kNone ? run.published_classes : c]++] = static_cast<int32>(row);
  }
  for (int32 c = 0; run.loaded.fingerprints != nullptr && c < run.published_classes; ++c) {
    const auto size = static_cast<std::size_t>(run.published_sizes[c]);
    qsort_arg(rows + next[c] - size, size, sizeof(int32), compare_rows, const_cast<Run*>(&run));
  }
  pfree(next);
  return rows;
}

/// Writes a row of cells to its columns of the release.
void fill_masked(const Run& run, const SourceColumn* const* columns, const Datum* cells,
                 Datum* values, bool* nulls) {
  const bool* null_cells = run.nulls_of(cells);
  for (int at = 0; at < run.source.count; ++at) {
    const int64 j = columns[at] - run.source.columns;
    if (j >= run.source.quasi_identifiers) continue;
    values[at] = cells[j];
    nulls[at] = null_cells[j];
  }
}

/// The records of each row of cells.
int64* count_records(const Run& run) {
  auto* records = allocate<int64>(run.cell_rows);
  std::fill_n(records, run.cell_rows, 0);
  for (int64 row = 0; row < run.loaded.rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    const std::int32_t at = run.anonymized->cells(static_cast<std::size_t>(row));
    if (at != kNone) ++records[at];
  }
  return records;
}

/// Writes a release without kept columns, whose rows depend on their classes alone.
void write_masked(const Run& run, const SourceColumn* const* columns, ReturnSetInfo* result,
                  Datum* values, bool* nulls) {
  const int64* records = count_records(run);
  for (int32 i = 0; i < run.cell_rows; ++i) {
    const int32 at = run.published_order[i];
    fill_masked(run, columns, run.cells + int64{at} * run.source.quasi_identifiers, values, nulls);
    for (int64 record = 0; record < records[at]; ++record) {
      CHECK_FOR_INTERRUPTS();
      tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
    }
  }
}

/// The row's position in the release and the row itself, followed by the spooled columns.
TupleDesc sort_descriptor(const Run& run) {
  TupleDesc descriptor = CreateTemplateTupleDesc(run.source.spooled_count() + 2);
  TupleDescInitEntry(descriptor, 1, "place", INT4OID, -1, 0);
  TupleDescInitEntry(descriptor, 2, "row", INT4OID, -1, 0);
  for (int i = 1; i <= run.source.spooled_count(); ++i)
    TupleDescCopyEntry(descriptor, static_cast<AttrNumber>(i + 2), run.loaded.spool_descriptor,
                       static_cast<AttrNumber>(i));
  return descriptor;
}

/// Sorts the spool, which may be larger than memory, into the order of the release.
Tuplesortstate* sort_spool(const Run& run, TupleDesc descriptor) {
  const int32* rows = row_order(run);
  int32* place = allocate<int32>(run.loaded.rows);
  for (int32 i = 0; i < run.loaded.rows; ++i) place[rows[i]] = i;

  AttrNumber key = 1;
  Oid less = Int4LessOperator;
  Oid collation = InvalidOid;
  bool nulls_first = false;
  Tuplesortstate* sort = tuplesort_begin_heap(descriptor, 1, &key, &less, &collation, &nulls_first,
                                              work_mem, nullptr, TUPLESORT_NONE);
  TupleTableSlot* from = MakeSingleTupleTableSlot(run.loaded.spool_descriptor, &TTSOpsMinimalTuple);
  TupleTableSlot* to = MakeSingleTupleTableSlot(descriptor, &TTSOpsVirtual);
  for (int32 i = 0; tuplestore_gettupleslot(run.loaded.spool, true, false, from); ++i) {
    CHECK_FOR_INTERRUPTS();
    if (run.cells_of(i) == nullptr) continue;
    slot_getallattrs(from);
    ExecClearTuple(to);
    to->tts_values[0] = Int32GetDatum(place[i]);
    to->tts_values[1] = Int32GetDatum(i);
    to->tts_isnull[0] = to->tts_isnull[1] = false;
    std::copy_n(from->tts_values, run.source.spooled_count(), to->tts_values + 2);
    std::copy_n(from->tts_isnull, run.source.spooled_count(), to->tts_isnull + 2);
    ExecStoreVirtualTuple(to);
    tuplesort_puttupleslot(sort, to);
  }
  tuplestore_end(run.loaded.spool);
  tuplesort_performsort(sort);
  return sort;
}

void write_with_kept(const Run& run, const SourceColumn* const* columns, ReturnSetInfo* result,
                     Datum* values, bool* nulls) {
  TupleDesc descriptor = sort_descriptor(run);
  Tuplesortstate* sort = sort_spool(run, descriptor);
  TupleTableSlot* slot = MakeSingleTupleTableSlot(descriptor, &TTSOpsMinimalTuple);
  while (tuplesort_gettupleslot(sort, true, false, slot, nullptr)) {
    CHECK_FOR_INTERRUPTS();
    slot_getallattrs(slot);
    const int32 row = DatumGetInt32(slot->tts_values[1]);
    fill_masked(run, columns, run.cells_of(row), values, nulls);
    for (int at = 0; at < run.source.count; ++at) {
      const std::ptrdiff_t spooled = columns[at] - run.source.spooled();
      if (spooled < 0) continue;
      values[at] = slot->tts_values[spooled + 2];
      nulls[at] = slot->tts_isnull[spooled + 2] ||
                  (columns[at]->role == Role::sensitive && run.withholds(row));
    }
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  }
  tuplesort_end(sort);
}

TupleDesc release_descriptor(const Source& source, const SourceColumn* const* columns) {
  TupleDesc descriptor = CreateTemplateTupleDesc(source.count);
  for (int at = 0; at < source.count; ++at)
    TupleDescInitEntry(descriptor, static_cast<AttrNumber>(at + 1), columns[at]->name,
                       columns[at]->released_type, columns[at]->released_typmod, 0);
  return descriptor;
}

void write_release(const Run& run, ReturnSetInfo* result) {
  const SourceColumn** columns = released_columns(run.source);
  MemoryContext old = MemoryContextSwitchTo(result->econtext->ecxt_per_query_memory);
  result->setDesc = release_descriptor(run.source, columns);
  MemoryContextSwitchTo(old);
  auto* values =
      static_cast<Datum*>(palloc0(sizeof(Datum) * static_cast<std::size_t>(run.source.count)));
  auto* nulls =
      static_cast<bool*>(palloc0(sizeof(bool) * static_cast<std::size_t>(run.source.count)));
  if (run.source.spooled_count() > 0)
    write_with_kept(run, columns, result, values, nulls);
  else
    write_masked(run, columns, result, values, nulls);
}

/// An error for mu-Argus without `complete`, whose k is unknown beforehand.
void require_promise(const Spec& spec) {
  if (!spec.options.generalisation.complete)
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("a release must be complete"),
             errdetail("Without complete, method \"argus\" does not promise k."),
             errhint("Leave complete at true. anon_argus and anon_evaluate show the k reached "
                     "without.")));
}

/// The tables that the query names beside its source; the argument is missing without hierarchies
/// by table.
NamedTables tables_argument(FunctionCallInfo fcinfo) {
  if (PG_NARGS() < 3) return {nullptr, 0};
  if (PG_ARGISNULL(2))
    ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("tables must not be null")));
  return named_tables(PG_GETARG_DATUM(2));
}

Datum release(FunctionCallInfo fcinfo) {
  const Oid relation = relation_argument(fcinfo);
  if (PG_ARGISNULL(1))
    ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("spec must not be null")));
  InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
  const Session session = open_session();
  Jsonb* json = names_for_tables(PG_GETARG_JSONB_P(1), tables_argument(fcinfo));
  const Spec spec = read_spec(json);
  require_promise(spec);
  const Run* before = take_prepared(relation, json);
  const Run run = before != nullptr ? *before : run_pipeline(relation, spec, Spool::columns);
  write_release(run, reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo));
  report_stages(run);
  latest = figures_of(run);
  has_latest = true;
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace

const Run& prepare_release(Oid source, Jsonb* json) {
  auto* result = static_cast<Prepared*>(palloc(sizeof(Prepared)));
  const Spec spec = read_spec(json);
  require_promise(spec);
  *result = {source, json, run_pipeline(source, spec, Spool::columns)};
  auto* callback = static_cast<MemoryContextCallback*>(palloc(sizeof(MemoryContextCallback)));
  *callback = {forget_prepared, result, nullptr};
  MemoryContextRegisterResetCallback(CurrentMemoryContext, callback);
  prepared = result;
  return result->run;
}

const Figures* latest_release() {
  return has_latest ? &latest : nullptr;
}
void forget_latest_release() {
  has_latest = false;
}

}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_release) {
  return anonkit::pg::release(fcinfo);
}
