#include "pg/release/run.hpp"

#include "base/error.hpp"
#include "sensitive/person_emd.hpp"
#include "suppression.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/settings.hpp"
#include "pg/release/masked_cells.hpp"
#include "pg/release/verify.hpp"
#include "pg/release/warnings.hpp"

namespace anonkit::pg {
namespace {

/// The weight of each value in all rows read, where each person has the same weight.
std::vector<std::int64_t> weights_of_persons(const Ranks& ranks, const Loaded& loaded,
                                             std::int32_t values) {
  PersonFacts facts;
  for (int64 row = 0; row < loaded.rows + loaded.more_rows; ++row)
    facts.push_back({loaded.unit_of[row], ranks.ranks[row]});
  return person_weights(std::move(facts), values);
}

/// The distribution of each sensitive column in the larger table that contains the rows.
TableCounts table_counts_of(const Source& source, const Loaded& loaded) {
  TableCounts counts;
  for (int a = 0; a < source.sensitive_count; ++a) {
    const Ranks& ranks = loaded.ranks[a];
    const std::int32_t values = ranks.distinct + (ranks.nulls > 0 ? 1 : 0);
    if (loaded.unit_of != nullptr)
      counts.push_back(weights_of_persons(ranks, loaded, values));
    else
      counts.emplace_back(loaded.table_counts[a], loaded.table_counts[a] + values);
  }
  return counts;
}

const Anonymized* anonymize_loaded(const Source& source, const Spec& spec, const Loaded& loaded) {
  BackendTicker ticker;
  TableCounts counts;
  if (source.more_rows != nullptr) counts = table_counts_of(source, loaded);
  auto result = std::make_unique<Anonymized>(
      anonymize_within_budget(table_of(source, spec, loaded), *spec.method, spec.options, ticker,
                              source.more_rows != nullptr ? &counts : nullptr));
  return &own_in_context(std::move(result));
}

/// Null if it is infeasible.
const Anonymized* try_anonymize(const Source& source, const Spec& spec, const Loaded& loaded) {
  try {
    return anonymize_loaded(source, spec, loaded);
  } catch (const Error& error) {
    if (error.kind != ErrorKind::infeasible) throw;
    return nullptr;
  }
}

void mask_and_verify(Run& run) {
  run.masked_at = GetCurrentTimestamp();
  mask_cells(run);
  verify(run);
  run.verified_at = GetCurrentTimestamp();
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

double seconds_between(TimestampTz from, TimestampTz to) {
  return static_cast<double>(to - from) / USECS_PER_SEC;
}

}  // namespace

Run begin_run(Oid relation, const Spec& spec) {
  Run run = {};
  run.started_at = GetCurrentTimestamp();
  run.spec = spec;
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
  run.anonymized = anonymize_loaded(run.source, run.spec, run.loaded);
  mask_and_verify(run);
  warn_of_single_class(run);
  warn_of_inexact(run);
}

bool finish_run(Run& run) {
  run.anonymized = try_anonymize(run.source, run.spec, run.loaded);
  if (run.anonymized == nullptr) return false;
  mask_and_verify(run);
  return true;
}

double seconds_since(TimestampTz time) {
  return seconds_between(time, GetCurrentTimestamp());
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
              rows, quote_identifier(get_rel_name(relation)),
              parts > 1 ? psprintf(", in %d parts", parts) : "", stages.reading, stages.anonymizing,
              stages.verifying, all - stages.reading - stages.anonymizing - stages.verifying)));
}

void report_stages(const Run& run) {
  report_stages(run.source.relation, run.loaded.rows, 1, run.started_at, stages_of(run));
}

}  // namespace anonkit::pg
