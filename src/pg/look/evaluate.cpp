// anon_evaluate: the loss of a method on a table, without a release.

#include "metric/cell_changes.hpp"
#include "recode/recoding.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/session.hpp"
#include "pg/release/aggregate_run.hpp"
#include "pg/release/figures.hpp"
#include "pg/release/run.hpp"
#include "pg/spec/arguments.hpp"

namespace anonkit::pg {
namespace {

/// Writes rows of (measure, value); a missing value is null.
struct Report {
  ReturnSetInfo* result;

  void add(const char* measure, double value, const char* attribute = nullptr) const {
    Datum values[3] = {CStringGetTextDatum(measure), Float8GetDatum(value), 0};
    bool nulls[3] = {false, is_null(value), attribute == nullptr};
    if (attribute != nullptr) values[2] = CStringGetTextDatum(attribute);
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  }
};

/// Adds the precision of aggregates computed from the release, if requested.
void add_widths(const Run& run, const Report& report) {
  const AggregateKnowledge& knowledge = run.spec.options.aggregate;
  for (int i = 0; i < knowledge.count; ++i)
    report.add(psprintf("mean width of %s", knowledge.functions[i]), mean_width(run, knowledge, i));
}

void write_report(const Run& run, const Report& report) {
  const Figures figures = figures_of(run);
  const ClassMetrics metrics = class_metrics_of(run);
  const CentroidLoss& loss = run.anonymized->loss;
  report.add("rows", figures.rows);
  report.add("suppressed", figures.suppressed);
  report.add("suppressed_cells", figures.suppressed_cells);
  report.add("saved", figures.saved);
  if (run.spec.options.transparency.wanted) report.add("withheld", figures.withheld);
  report.add("classes", figures.classes);
  report.add("smallest_class", metrics.smallest);
  report.add("mean_class", metrics.mean);
  report.add("largest_class", metrics.largest);
  report.add("DM", figures.dm);
  report.add("AVG", figures.avg);
  report.add("NCP", figures.ncp);
  report.add("Prec", figures.prec);
  report.add("IL", figures.il);
  report.add("SSE", loss.sse);
  report.add("SST", loss.sst);
  report.add("loss", figures.loss);
  report.add("lower_bound", figures.lower_bound);
  report.add("gap", figures.loss - figures.lower_bound);
  report.add("reproducible", figures.reproducible);
  add_widths(run, report);
  report.add("seconds", figures.seconds);
}

/// The loss of each column, by several measures.
struct ColumnReport {
  std::vector<CellChanges> changes;
  std::vector<CentroidLoss> losses;
};

const ColumnReport& column_report_of(const Run& run) {
  BackendTicker ticker;
  const Anonymized& made = *run.anonymized;
  const Table table = table_of(run.source, run.spec, run.loaded);
  const bool centroids = made.cells_of.empty() && recoding(run.spec.options.recode).keeps_type;
  ColumnReport report;
  report.changes = cell_changes(table, made.order, made.cells(), made.masked, ticker);
  report.losses =
      column_losses(table, made.members,
                    centroids ? made.masked : recode(table, made.members, Recode::centroid, ticker),
                    made.order, made.scales, ticker);
  return own_in_context(std::make_unique<ColumnReport>(std::move(report)));
}

void write_columns(const Run& run, const Report& report) {
  const ColumnReport& columns = column_report_of(run);
  for (int j = 0; j < run.source.quasi_identifiers; ++j) {
    const auto at = static_cast<std::size_t>(j);
    const char* name = run.source.columns[j].name;
    report.add("changed", 100 * columns.changes[at].changed, name);
    report.add("mean_shift", columns.changes[at].mean_shift, name);
    report.add("loss", columns.losses[at].percent(), name);
  }
}

Datum evaluate(FunctionCallInfo fcinfo) {
  const Oid relation = relation_argument(fcinfo);
  InitMaterializedSRF(fcinfo, 0);
  const Session session = open_session();
  const Run run = run_pipeline(relation, read_spec(spec_of_release(fcinfo)), Spool::fingerprints);
  const Report report = {reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo)};
  write_report(run, report);
  if (truth_argument(fcinfo, "by_column")) write_columns(run, report);
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_evaluate) {
  return anonkit::pg::evaluate(fcinfo);
}
