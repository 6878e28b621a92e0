#include "pg/release/run.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "sensitive/person_emd.hpp"
#include "suppression.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/settings.hpp"
#include "pg/release/masked_cells.hpp"
#include "pg/release/verify.hpp"

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

/// Codes are few, and each stands for many rows. Twelve are the months of a year.
constexpr int kFewValues = 12;
constexpr int kRowsOfCode = 10;

/// The number of distinct values of a quasi-identifier, or kFewValues + 1 if there are more.
int count_few(const Block& block, int j, int64 rows) {
  double values[kFewValues];
  int count = 0;
  for (int64 row = 0; row < rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    const double value = block.value(row, j);
    if (is_null(value) || std::find(values, values + count, value) != values + count) continue;
    if (count == kFewValues) return kFewValues + 1;
    values[count++] = value;
  }
  return count;
}

/// The mean of codes is a code that nobody has.
void warn_of_codes(const Run& run) {
  const Block& block = run.loaded.quasi_identifiers;
  for (int j = 0; run.spec.options.recode == Recode::centroid && j < run.source.quasi_identifiers;
       ++j) {
    const SourceColumn& column = run.source.columns[j];
    if (column.number_type == nullptr || !is_whole_number(column.base_type)) continue;
    const int values = count_few(block, j, run.loaded.rows);
    if (values < 2 || values > kFewValues || run.loaded.rows < int64{kRowsOfCode} * values)
      continue;
    ereport(NOTICE,
            (errmsg("means of column \"%s\" are published", column.name),
             errdetail("It has %d distinct values, as codes have.", values),
             errhint("If they are codes, name the column in categories: then the most frequent "
                     "code of a class is published.")));
  }
}

}  // namespace

Run run_pipeline(Oid relation, const Spec& spec, Spool spool) {
  Run run = {};
  run.started_at = GetCurrentTimestamp();
  run.spec = spec;
  run.source = resolve_source(relation, run.spec);
  run.loaded = read_source(run.source, run.spec, spool);
  run.read_at = GetCurrentTimestamp();
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

void report_stages(const Run& run) {
  const auto seconds = [](TimestampTz from, TimestampTz to) {
    return static_cast<double>(to - from) / USECS_PER_SEC;
  };
  const TimestampTz now = GetCurrentTimestamp();
  const bool logged =
      log_min_duration >= 0 && now - run.started_at >= int64{1000} * log_min_duration;
  ereport(
      logged ? LOG : DEBUG1,
      (errmsg_internal("anonkit: %.0f rows of %s: reading %.3f s, anonymizing %.3f s, "
                       "verifying %.3f s, writing %.3f s",
                       static_cast<double>(run.loaded.rows),
                       quote_identifier(get_rel_name(run.source.relation)),
                       seconds(run.started_at, run.read_at), seconds(run.read_at, run.masked_at),
                       seconds(run.masked_at, run.verified_at), seconds(run.verified_at, now))));
}

}  // namespace anonkit::pg
