// anon_evaluate: the loss of a method on a table, without a release.

#include <vector>

#include "metric/class_metrics.hpp"

#include "backend_ticker.hpp"
#include "figures.hpp"
#include "run.hpp"
#include "session.hpp"

namespace anonkit::pg {
namespace {

/// Writes rows of (measure, value); a value that is not there is null.
struct Report {
  ReturnSetInfo* result;

  void add(const char* measure, double value) const {
    Datum values[2] = {CStringGetTextDatum(measure), Float8GetDatum(value)};
    bool nulls[2] = {false, is_null(value)};
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  }
};

ClassMetrics metrics_of(const Run& run) {
  BackendTicker ticker;
  const std::vector<std::int32_t> sizes(run.published_sizes,
                                        run.published_sizes + run.published_classes);
  return class_metrics(sizes, run.spec.options.k, 0, ticker);
}

void write_report(const Run& run, const Report& report) {
  const Figures figures = figures_of(run);
  const ClassMetrics metrics = metrics_of(run);
  const CentroidLoss& loss = run.anonymized->loss;
  report.add("rows", figures.rows);
  report.add("suppressed", figures.suppressed);
  report.add("blanked", figures.blanked);
  report.add("classes", figures.classes);
  report.add("smallest_class", metrics.smallest);
  report.add("mean_class", metrics.mean);
  report.add("largest_class", metrics.largest);
  report.add("DM", static_cast<double>(metrics.discernibility));
  report.add("AVG", metrics.normalized_average);
  report.add("SSE", loss.sse);
  report.add("SST", loss.sst);
  report.add("loss", figures.loss);
  report.add("lower_bound", figures.lower_bound);
  report.add("gap", figures.loss - figures.lower_bound);
  report.add("seconds", figures.seconds);
}

Datum evaluate(FunctionCallInfo fcinfo) {
  const Oid relation = relation_argument(fcinfo);
  InitMaterializedSRF(fcinfo, 0);
  const Session session = open_session();
  const Run run = run_pipeline(relation, spec_of_release(fcinfo), Spool::columns);
  write_report(run, {reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo)});
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_evaluate) {
  return anonkit::pg::evaluate(fcinfo);
}
