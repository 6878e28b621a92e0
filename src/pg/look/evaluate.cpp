// anon_evaluate: the loss of a method on a table, without a release.

#include "pg/backend/session.hpp"
#include "pg/release/aggregate_run.hpp"
#include "pg/release/figures.hpp"
#include "pg/release/run.hpp"

namespace anonkit::pg {
namespace {

/// Writes rows of (measure, value); a missing value is null.
struct Report {
  ReturnSetInfo* result;

  void add(const char* measure, double value) const {
    Datum values[2] = {CStringGetTextDatum(measure), Float8GetDatum(value)};
    bool nulls[2] = {false, is_null(value)};
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

Datum evaluate(FunctionCallInfo fcinfo) {
  const Oid relation = relation_argument(fcinfo);
  InitMaterializedSRF(fcinfo, 0);
  const Session session = open_session();
  const Run run = run_pipeline(relation, read_spec(spec_of_release(fcinfo)), Spool::fingerprints);
  write_report(run, {reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo)});
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_evaluate) {
  return anonkit::pg::evaluate(fcinfo);
}
