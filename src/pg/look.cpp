// anon_mdav and its siblings: the classes and masked values of a table, without a release.

#include "json_build.hpp"
#include "run.hpp"
#include "session.hpp"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

/// The masked quasi-identifiers of a class as jsonb; made when first asked for.
Datum masked_json(const Run& run, Datum* made, int c) {
  if (made[c] != 0) return made[c];
  JsonObject json;
  for (int j = 0; j < run.source.quasi_identifiers; ++j) {
    const SourceColumn& column = run.source.columns[j];
    const int64 cell = static_cast<int64>(c) * run.source.quasi_identifiers + j;
    if (run.nulls[cell])
      json.add_null(column.name);
    else
      json.add_datum(column.name, run.cells[cell], column.released_type);
  }
  return made[c] = JsonbPGetDatum(json.finish());
}

/// Reads the kept values of the rows again, in the order of the first reading.
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

void write_rows(const Run& run, ReturnSetInfo* result) {
  const int64 classes = run.classes;
  auto* made = static_cast<Datum*>(MemoryContextAllocExtended(
      CurrentMemoryContext, sizeof(Datum) * static_cast<std::size_t>(classes),
      MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO));
  MemoryContext scratch =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit row", ALLOCSET_DEFAULT_SIZES);
  SpoolReader spool(run.loaded);
  const Anonymized& anonymized = *run.anonymized;
  for (int64 i = 0; i < run.loaded.rows; ++i) {
    CHECK_FOR_INTERRUPTS();
    const ClassId c = anonymized.partition.class_of[static_cast<std::size_t>(i)];
    Datum values[4];
    bool nulls[4] = {run.loaded.tids == nullptr, false, false, false};
    if (!nulls[0]) values[0] = PointerGetDatum(&run.loaded.tids[i]);
    values[1] = Int32GetDatum(c + 1);
    values[2] = Int32GetDatum(anonymized.members.begin[static_cast<std::size_t>(c) + 1] -
                              anonymized.members.begin[static_cast<std::size_t>(c)]);
    values[3] = masked_json(run, made, c);
    // Not in the scratch context: the slot frees its tuple when the next one comes.
    const Datum kept = run.loaded.spool != nullptr ? spool.next_json() : 0;
    MemoryContext old = MemoryContextSwitchTo(scratch);
    if (run.loaded.spool != nullptr) values[3] = DirectFunctionCall2(jsonb_concat, values[3], kept);
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
    MemoryContextSwitchTo(old);
    MemoryContextReset(scratch);
  }
  if (run.loaded.spool != nullptr) tuplestore_end(run.loaded.spool);
}

/// The body of every looking function.
Datum look(FunctionCallInfo fcinfo, const char* method) {
  const Oid relation = relation_argument(fcinfo);
  InitMaterializedSRF(fcinfo, 0);
  const Session session = open_session();
  const Run run = run_pipeline(relation, spec_of_arguments(fcinfo, method), Spool::json);
  write_rows(run, reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo));
  report_stages(run);
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_mdav) {
  return anonkit::pg::look(fcinfo, "mdav");
}
ANONKIT_FUNCTION(anon_microaggregate) {
  return anonkit::pg::look(fcinfo, "microaggregate");
}
ANONKIT_FUNCTION(anon_tclose) {
  return anonkit::pg::look(fcinfo, "tclose");
}
ANONKIT_FUNCTION(anon_univariate) {
  return anonkit::pg::look(fcinfo, "univariate");
}
ANONKIT_FUNCTION(anon_vmdav) {
  return anonkit::pg::look(fcinfo, "vmdav");
}
