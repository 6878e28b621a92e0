#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/elapsed.hpp"
#include "pg/release/figures.hpp"
#include "pg/release/run.hpp"
#include "pg/release/verify.hpp"

extern "C" {
#include "common/shortest_dec.h"
}

namespace anonkit::pg {
namespace {

std::vector<std::int32_t> sizes_of(const Members& members) {
  std::vector<std::int32_t> sizes;
  for (const RecordSpan of_class : members) sizes.push_back(of_class.size());
  return sizes;
}

}  // namespace

ClassMetrics class_metrics_of(const Run& run) {
  BackendTicker ticker;
  std::vector<std::int32_t> sizes(run.published_sizes, run.published_sizes + run.published_classes);
  if (!run.anonymized->classes_published) sizes = sizes_of(run.anonymized->members);
  return class_metrics(sizes, run.spec.options.k, run.anonymized->suppressed, ticker);
}

void set_class_metrics(Figures& figures, const ClassMetrics& metrics) {
  figures.classes = metrics.classes;
  figures.smallest_class = metrics.smallest;
  figures.mean_class = metrics.mean;
  figures.dm = static_cast<double>(metrics.discernibility);
  figures.avg = metrics.normalized_average;
}

Figures figures_of(const Run& run) {
  Figures figures = {};
  figures.rows = static_cast<double>(run.loaded.rows - run.anonymized->suppressed);
  figures.suppressed = static_cast<double>(run.anonymized->suppressed);
  set_class_metrics(figures, class_metrics_of(run));
  figures.prec = run.anonymized->prec;
  figures.ncp = 100 * run.anonymized->ncp;
  figures.il = run.anonymized->il;
  figures.loss = run.anonymized->loss.percent();
  const CentroidLoss& loss = run.anonymized->loss;
  figures.lower_bound = loss.sst > 0 ? 100 * run.anonymized->lower_bound / loss.sst : kNull;
  figures.version = figures.waiting = figures.vacant = figures.stale = figures.withheld = kNull;
  figures.changed = figures.outside = figures.coverage = figures.least_coverage = kNull;
  if (run.spec.options.transparency.wanted)
    figures.withheld = static_cast<double>(withheld_rows(run));
  figures.reproducible =
      run.anonymized->reproducible && run.anonymized->lower_bound_reproducible ? 1 : 0;
  figures.suppressed_cells = static_cast<double>(run.anonymized->suppressed_cells);
  figures.coarsened_cells =
      run.spec.coarsenings.count > 0 ? static_cast<double>(run.loaded.coarsened_cells) : kNull;
  figures.saved = 100 * run.anonymized->saved;
  figures.seconds = seconds_since(run.started_at);
  figures.grouped = run.anonymized->classes_published;
  return figures;
}

namespace {

Datum figure_datum(FigureType type, double figure) {
  switch (type) {
    case FigureType::count:
      return Int64GetDatum(static_cast<int64>(figure));
    case FigureType::number:
      return Float8GetDatum(figure);
    case FigureType::truth:
      return BoolGetDatum(figure != 0);
  }
  return 0;
}

}  // namespace

void fill_figures(const Figures& figures, Datum* values, bool* nulls) {
  for (int i = 0; i < kFigureCount; ++i) {
    const double figure = figures.*kFigureFields[i].member;
    nulls[i] = std::isnan(figure);
    if (nulls[i]) continue;
    values[i] = figure_datum(kFigureFields[i].type, figure);
  }
}

void add_figures(JsonObject& json, const Figures& figures) {
  for (const FigureField& field : kFigureFields) {
    const double figure = figures.*field.member;
    if (!std::isfinite(figure)) continue;
    if (field.type == FigureType::truth)
      json.add(field.name, figure != 0);
    else
      json.add(field.name, figure);
  }
}

void write_figures(StringInfo text, const Figures& figures) {
  constexpr int kLongestLine = 60;
  int line = text->len;
  for (const FigureField& field : kFigureFields) {
    const double figure = figures.*field.member;
    if (std::isnan(figure)) continue;
    if (text->len - line > kLongestLine) {
      appendStringInfoChar(text, '\n');
      line = text->len;
    }
    appendStringInfo(text, " %s=%s", field.name,
                     field.type == FigureType::number ? double_to_shortest_decimal(figure)
                                                      : psprintf("%.0f", figure));
  }
}

bool is_sound_figure(double number) {
  return std::fabs(number) < 1e18;
}

double read_figure(const char* text, const char* name) {
  char key[64];
  strlcpy(key, " ", sizeof key);
  strlcat(key, name, sizeof key);
  strlcat(key, "=", sizeof key);
  const char* found = std::strstr(text, key);
  if (found == nullptr) return kNull;
  const char* start = found + std::strlen(key);
  char* end;
  const double figure = std::strtod(start, &end);
  return end != start && is_sound_figure(figure) ? figure : kNull;
}

Figures read_figures(const char* text) {
  Figures figures = {};
  for (const FigureField& field : kFigureFields)
    figures.*field.member = read_figure(text, field.name);
  return figures;
}

}  // namespace anonkit::pg
