#include "pg/release/run.hpp"

#include "suppression.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/elapsed.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/settings.hpp"
#include "pg/release/masked_cells.hpp"
#include "pg/release/secret_seed.hpp"
#include "pg/release/verify.hpp"
#include "pg/release/warnings.hpp"

namespace anonkit::pg {
namespace {

std::unique_ptr<Anonymized> anonymize_loaded(const Source& source, const Spec& spec,
                                             const Loaded& loaded) {
  BackendTicker ticker;
  return std::make_unique<Anonymized>(
      anonymize_within_budget(table_of(source, spec, loaded), *spec.method, spec.options, ticker));
}

void warn_of_inexact(const Run& run) {
  if (!run.anonymized->exact)
    ereport(NOTICE, (errmsg("the search for the least loss was bounded"),
                     errdetail("It looked at some sets of columns to generalise, not at all.")));
}

/// Warns of a release with one class of all records, which satisfies any t but carries no
/// information.
void warn_of_single_class(const Run& run) {
  if (run.spec.options.promises.t_close() && run.published_classes == 1 && run.loaded.rows > 1)
    ereport(NOTICE, (errmsg("all records form one class"),
                     errdetail("No finer classes were found that keep t."),
                     errhint("A larger t allows smaller classes.")));
}

}  // namespace

Run begin_run(Oid relation, const Spec& spec) {
  Run run = {};
  run.started_at = GetCurrentTimestamp();
  run.spec = spec;
  if (spec.secret_seed && spec.options.secret == nullptr) use_secret(run.spec, draw_secret());
  run.source = resolve_source(relation, run.spec);
  return run;
}

void read_rows(Run& run, Spool spool, Excess excess) {
  run.loaded = read_source(run.source, run.spec, spool, excess);
  run.read_at = GetCurrentTimestamp();
}

Run run_pipeline(Oid relation, const Spec& spec, Spool spool) {
  Run run = begin_run(relation, spec);
  read_rows(run, spool, Excess::refuse);
  warn_of_codes(run);
  require_run(run);
  return run;
}

void require_run(Run& run) {
  take_classes(run, anonymize_loaded(run.source, run.spec, run.loaded));
  warn_of_single_class(run);
  warn_of_inexact(run);
}

void take_classes(Run& run, std::unique_ptr<Anonymized> formed) {
  run.anonymized = &own_in_context(std::move(formed));
  run.masked_at = GetCurrentTimestamp();
  mask_cells(run);
  verify(run);
  run.verified_at = GetCurrentTimestamp();
}

StageSeconds stages_of(const Run& run) {
  return {seconds_between(run.started_at, run.read_at), seconds_between(run.read_at, run.masked_at),
          seconds_between(run.masked_at, run.verified_at)};
}

void report_stages(Oid relation, int64 rows, int32 parts, TimestampTz started_at,
                   const StageSeconds& stages) {
  const double all = seconds_since(started_at);
  const bool logged = log_min_duration >= 0 && 1000 * all >= log_min_duration;
  ereport(logged ? LOG : DEBUG1,
          (errmsg_internal(
              "anonkit: " INT64_FORMAT " rows of %s%s: reading %.3f s, anonymizing %.3f "
              "s, verifying %.3f s, writing %.3f s",
              rows, quote_identifier(relation_name(relation)),
              parts > 1 ? psprintf(", in %d parts", parts) : "", stages.reading, stages.anonymizing,
              stages.verifying, all - stages.reading - stages.anonymizing - stages.verifying)));
}

void report_stages(const Run& run) {
  report_stages(run.source.relation, run.loaded.rows, 1, run.started_at, stages_of(run));
}

}  // namespace anonkit::pg
