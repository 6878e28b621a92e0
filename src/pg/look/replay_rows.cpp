// The attack of an adversary who knows the code, on the user's own table.

#include "pg/look/replay_rows.hpp"

#include "recode/recoding.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/memory_count.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/settings.hpp"
#include "pg/read/reader.hpp"
#include "pg/spec/arguments.hpp"

namespace anonkit::pg {
namespace {

using Replayed = std::vector<ReplayedClass>;

/// Counts the releases that are compared, beside the pipeline's memory. The rest is for the
/// arrangements.
const Replayed& replayed_of(const Source& source, const Spec& spec, const Loaded& loaded,
                            ReplayOptions how) {
  BackendTicker ticker;
  const Table table = table_of(source, spec, loaded);
  MemoryCount memory = {loaded.needed_bytes, kFewerRows};
  const std::int64_t bytes = replay_bytes(table);
  call_backend([&] { count_memory(memory, bytes); });
  how.most_bytes = int64{max_memory} * 1024 - memory.bytes;
  return own_in_context(
      std::make_unique<Replayed>(replay(table, *spec.method, spec.options, how, ticker)));
}

}  // namespace

/// The method's seed also draws the classes and the arrangements.
ReplayOptions replay_options_of(FunctionCallInfo fcinfo, const Options& options) {
  ReplayOptions how;
  how.classes = count_argument(fcinfo, "classes", 1);
  // One of them is the truth.
  how.arrangements = count_argument(fcinfo, "arrangements", 2);
  how.seed = options.seed;
  return how;
}

namespace {

void write_class(const ReplayedClass& attacked, int number, ReturnSetInfo* result) {
  Datum values[] = {Int32GetDatum(number),
                    Int32GetDatum(attacked.size),
                    Int32GetDatum(attacked.tried),
                    Int32GetDatum(attacked.consistent),
                    Float8GetDatum(attacked.belief_before),
                    Float8GetDatum(attacked.belief_after),
                    Int32GetDatum(attacked.undetermined_before),
                    Int32GetDatum(attacked.determined)};
  bool nulls[sizeof values / sizeof values[0]] = {};
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

}  // namespace

void require_replayable(const Spec& spec) {
  if (recoding(spec.options.recode).by_record)
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("a release by swapping cannot be replayed"),
                    errdetail("It is a function of a secret, and of each class as multisets: "
                              "nothing in it depends on who has which value.")));
  if (spec.sensitive.count == 0)
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("a replay needs a sensitive column"),
             errhint("Name one in sensitive.")));
  if (OidIsValid(spec.population))
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("a release against a population cannot be replayed")));
}

void write_replayed(const std::vector<ReplayedClass>& replayed, FunctionCallInfo fcinfo) {
  int number = 0;
  for (const ReplayedClass& attacked : replayed)
    write_class(attacked, ++number, reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo));
}

Datum replay_release(FunctionCallInfo fcinfo) {
  const Oid relation = relation_argument(fcinfo);
  InitMaterializedSRF(fcinfo, 0);
  const Session session = open_session();
  Spec spec = read_spec(spec_of_release(fcinfo));
  const ReplayOptions how = replay_options_of(fcinfo, spec.options);
  require_replayable(spec);
  if (spec.over_time.key.count > 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("the replay of a release with a key needs arrivals"),
                    errhint("Name the column of the refresh in which each row came.")));
  spec.rank_all_sensitive = true;
  const Source source = resolve_source(relation, spec);
  const Loaded loaded = read_source(source, spec, Spool::fingerprints);
  write_replayed(replayed_of(source, spec, loaded, how), fcinfo);
  if (loaded.spool != nullptr) tuplestore_end(loaded.spool);
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace anonkit::pg
