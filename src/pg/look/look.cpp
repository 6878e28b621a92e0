// anon_mdav and its relatives: the classes and masked values of a table, without a release.

#include <algorithm>
#include <cstring>

#include "pg/backend/json_build.hpp"
#include "pg/backend/session.hpp"
#include "pg/release/warnings.hpp"
#include "pg/spec/spec_check.hpp"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

/// The masked quasi-identifiers of a row of cells as jsonb.
Jsonb* masked_json(const Run& run, int64 at) {
  JsonObject json;
  for (int j = 0; j < run.source.quasi_identifiers; ++j) {
    const SourceColumn& column = run.source.columns[j];
    const int64 cell = at * run.source.quasi_identifiers + j;
    if (run.nulls[cell])
      json.add_null(column.name);
    else
      json.add_datum(column.name, run.cells[cell], column.released_type);
  }
  return json.finish();
}

/// The output for each row of cells, made at its first use.
struct MaskedJson {
  const Run* run;
  Jsonb** made;

  /// Must be called in a scratch context, since it leaves temporary memory behind.
  Datum of(int64 at, MemoryContext keep) const {
    if (made[at] == nullptr) {
      const Jsonb* json = masked_json(*run, at);
      made[at] = static_cast<Jsonb*>(MemoryContextAlloc(keep, VARSIZE(json)));
      std::memcpy(made[at], json, VARSIZE(json));
    }
    return JsonbPGetDatum(made[at]);
  }
};

/// Sensitive values that are withheld, as jsonb: null each.
Datum withheld_json(const Source& source) {
  JsonObject json;
  for (int i = 0; i < source.count; ++i)
    if (source.columns[i].role == Role::sensitive) json.add_null(source.columns[i].name);
  return JsonbPGetDatum(json.finish());
}

/// Rereads the kept values of the rows, in the order of the first reading.
struct SpoolReader {
  Tuplestorestate* spool;
  TupleTableSlot* slot;

  explicit SpoolReader(const Loaded& loaded)
      : spool(loaded.spool),
        slot(spool != nullptr
                 ? MakeSingleTupleTableSlot(loaded.spool_descriptor, &TTSOpsMinimalTuple)
                 : nullptr) {}

  Datum next_json() {
    bool is_null;
    if (!tuplestore_gettupleslot(spool, true, false, slot))
      elog(ERROR, "spool ends before the source does");
    return slot_getattr(slot, 1, &is_null);
  }
};

/// The row's tid, class, class size and masked values; for a suppressed row only the tid.
struct LookedAt {
  Datum values[4];
  bool nulls[4];
};

/// The numbers of published classes, from 1 in the order of the classes formed: classes with equal
/// cells are one, such as two of different labels in one text. Null where cells are of records.
int32* class_numbers(const Run& run) {
  if (!run.anonymized->classes_published) return nullptr;
  int32* numbers = allocate<int32>(run.published_classes);
  std::fill_n(numbers, run.published_classes, 0);
  int32 last = 0;
  for (const RecordSpan formed : run.anonymized->members) {
    int32& number = numbers[run.published_class_of(*formed.begin())];
    if (number == 0) number = ++last;
  }
  return numbers;
}

LookedAt looked_at(const Run& run, const int32* numbers, int64 row, Datum masked) {
  LookedAt row_out = {{}, {run.loaded.tids == nullptr, true, true, true}};
  if (run.loaded.tids != nullptr) row_out.values[0] = PointerGetDatum(&run.loaded.tids[row]);
  const Anonymized& anonymized = *run.anonymized;
  const ClassId c = anonymized.partition.class_of[static_cast<std::size_t>(row)];
  if (c == kNone) return row_out;
  if (numbers != nullptr) {
    const int32 published = run.published_class_of(row);
    row_out.values[1] = Int32GetDatum(numbers[published]);
    row_out.values[2] = Int32GetDatum(static_cast<int32>(run.published_sizes[published]));
  } else {
    row_out.values[1] = Int32GetDatum(c + 1);
    row_out.values[2] = Int32GetDatum(anonymized.members.of(static_cast<std::size_t>(c)).size());
  }
  row_out.values[3] = masked;
  row_out.nulls[1] = row_out.nulls[2] = row_out.nulls[3] = false;
  return row_out;
}

void write_rows(const Run& run, ReturnSetInfo* result) {
  const MaskedJson json = {
      &run, static_cast<Jsonb**>(MemoryContextAllocExtended(
                CurrentMemoryContext, sizeof(Jsonb*) * static_cast<std::size_t>(run.cell_rows),
                MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO))};
  MemoryContext scratch =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit row", ALLOCSET_DEFAULT_SIZES);
  SpoolReader spool(run.loaded);
  const Datum withheld = withheld_json(run.source);
  const int32* numbers = class_numbers(run);
  for (int64 i = 0; i < run.loaded.rows; ++i) {
    CHECK_FOR_INTERRUPTS();
    // Outside the scratch context, because the slot frees its tuple at the next one.
    const Datum kept = run.loaded.spool != nullptr ? spool.next_json() : 0;
    MemoryContext keep = MemoryContextSwitchTo(scratch);
    const std::int32_t at = run.anonymized->cells(static_cast<std::size_t>(i));
    Datum masked = at != kNone ? json.of(at, keep) : 0;
    if (at != kNone && run.loaded.spool != nullptr)
      masked = DirectFunctionCall2(jsonb_concat, masked, kept);
    if (run.withholds(i)) masked = DirectFunctionCall2(jsonb_concat, masked, withheld);
    LookedAt row = looked_at(run, numbers, i, masked);
    tuplestore_putvalues(result->setResult, result->setDesc, row.values, row.nulls);
    MemoryContextSwitchTo(keep);
    MemoryContextReset(scratch);
  }
  if (run.loaded.spool != nullptr) tuplestore_end(run.loaded.spool);
}

/// The body of every looking function.
Datum look(FunctionCallInfo fcinfo, const char* method) {
  const Oid relation = relation_argument(fcinfo);
  InitMaterializedSRF(fcinfo, 0);
  const Session session = open_session();
  const Spec spec = read_spec(spec_of_release(fcinfo, method));
  refuse_swap(spec, psprintf("anon_%s", method));
  const Run run = run_pipeline(relation, spec, Spool::json);
  warn_of_disclosures(run);
  write_rows(run, reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo));
  report_stages(run);
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_aggregate) {
  return anonkit::pg::look(fcinfo, "aggregate");
}
ANONKIT_FUNCTION(anon_argus) {
  return anonkit::pg::look(fcinfo, "argus");
}
ANONKIT_FUNCTION(anon_datafly) {
  return anonkit::pg::look(fcinfo, "datafly");
}
ANONKIT_FUNCTION(anon_incognito) {
  return anonkit::pg::look(fcinfo, "incognito");
}
ANONKIT_FUNCTION(anon_kpqr) {
  return anonkit::pg::look(fcinfo, "kpqr");
}
ANONKIT_FUNCTION(anon_mdav) {
  return anonkit::pg::look(fcinfo, "mdav");
}
ANONKIT_FUNCTION(anon_microaggregate) {
  return anonkit::pg::look(fcinfo, "microaggregate");
}
ANONKIT_FUNCTION(anon_mingen) {
  return anonkit::pg::look(fcinfo, "mingen");
}
ANONKIT_FUNCTION(anon_mondrian) {
  return anonkit::pg::look(fcinfo, "mondrian");
}
ANONKIT_FUNCTION(anon_psensitive) {
  return anonkit::pg::look(fcinfo, "psensitive");
}
ANONKIT_FUNCTION(anon_tclose) {
  return anonkit::pg::look(fcinfo, "tclose");
}
ANONKIT_FUNCTION(anon_topdown) {
  return anonkit::pg::look(fcinfo, "topdown");
}
ANONKIT_FUNCTION(anon_univariate) {
  return anonkit::pg::look(fcinfo, "univariate");
}
ANONKIT_FUNCTION(anon_vmdav) {
  return anonkit::pg::look(fcinfo, "vmdav");
}
