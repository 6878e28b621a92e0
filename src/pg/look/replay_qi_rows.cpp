// anon_replay_qi: the attack on quasi-identifiers of an adversary who knows the code, on the user's
// own table.

#include "pg/look/replayed_cells.hpp"

#include "recode/recoding.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/memory_count.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/reader.hpp"
#include "pg/spec/arguments.hpp"

namespace anonkit::pg {
namespace {

using CellsReplayed = std::vector<ReplayedCells>;

const CellsReplayed& cells_replayed_of(const Source& source, const Spec& spec, const Loaded& loaded,
                                       const CellReplayOptions& how) {
  BackendTicker ticker;
  const Table table = table_of(source, spec, loaded);
  MemoryCount memory = {loaded.needed_bytes, kFewerRows};
  const std::int64_t bytes = replay_cells_bytes(table);
  call_backend([&] { count_memory(memory, bytes); });
  return own_in_context(std::make_unique<CellsReplayed>(
      replay_cells(table, *spec.method, spec.options, how, ticker)));
}

CellReplayOptions cell_options_of(FunctionCallInfo fcinfo, const Options& options) {
  CellReplayOptions how;
  constexpr int kMost = 100000, kMostTries = 10000;
  how.cells = count_argument(fcinfo, "cells", 0, kMost);
  how.persons = count_argument(fcinfo, "persons", 0, kMost);
  how.classes = count_argument(fcinfo, "classes", 0, kMost);
  how.values = count_argument(fcinfo, "tries", 2, kMostTries);
  how.seed = options.seed;
  return how;
}

void check_replayed(const Spec& spec) {
  if (const char* what = not_replayed(spec); what != nullptr)
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("quasi-identifiers cannot be replayed with %s", what)));
  if (spec.secret_seed)
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("a release with a secret seed cannot be replayed"),
                    errdetail("An adversary does not know it."),
                    errhint("secret_seed => false attacks a release whose seed is known.")));
}

void write_target(const ReplayedCells& attacked, int number, const Source& source,
                  ReturnSetInfo* result) {
  static constexpr const char* kUnknown[] = {"cell", "person", "class"};
  const bool cell = attacked.unknown == Unknown::cell;
  NameData attribute;
  namestrcpy(&attribute, cell ? source.columns[attacked.column].name : "");
  Datum values[] = {CStringGetTextDatum(kUnknown[static_cast<int>(attacked.unknown)]),
                    Int32GetDatum(number),
                    NameGetDatum(&attribute),
                    Int32GetDatum(attacked.size),
                    Int32GetDatum(attacked.box),
                    Int32GetDatum(attacked.form),
                    Int32GetDatum(attacked.code)};
  bool nulls[sizeof values / sizeof values[0]] = {};
  nulls[2] = !cell;
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

Datum replay_quasi_identifiers(FunctionCallInfo fcinfo) {
  const Oid relation = relation_argument(fcinfo);
  InitMaterializedSRF(fcinfo, 0);
  const Session session = open_session();
  const Spec spec = read_spec(spec_of_release(fcinfo));
  const CellReplayOptions how = cell_options_of(fcinfo, spec.options);
  check_replayed(spec);
  Source source = {};
  int number = 0;
  for (const ReplayedCells& attacked : replayed_cells(relation, spec, how, source))
    write_target(attacked, ++number, source, reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo));
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace

/// Aggregates publish no classes, and persons with several rows are not one record.
const char* not_replayed(const Spec& spec) {
  return spec.method->of_aggregates ? "method \"aggregate\""
         : depends_on_others(recoding(spec.options.recode))
             ? psprintf("recode '%s'", recoding(spec.options.recode).name)
         : spec.unit.count > 0          ? "a unit"
         : spec.over_time.key.count > 0 ? "a key"
         : OidIsValid(spec.population)  ? "a population"
                                        : nullptr;
}

const std::vector<ReplayedCells>& replayed_cells(Oid relation, Spec spec,
                                                 const CellReplayOptions& how, Source& source) {
  spec.rank_all_sensitive = true;
  source = resolve_source(relation, spec);
  const Loaded loaded = read_source(source, spec, Spool::fingerprints);
  const CellsReplayed& all = cells_replayed_of(source, spec, loaded, how);
  if (loaded.spool != nullptr) tuplestore_end(loaded.spool);
  return all;
}

}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_replay_qi) {
  return anonkit::pg::replay_quasi_identifiers(fcinfo);
}
