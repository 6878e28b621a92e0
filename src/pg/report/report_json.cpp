// A report as JSON.

#include "pg/report/report_json.hpp"

#include <cmath>
#include <cstring>

#include "pg/backend/json_build.hpp"
#include "pg/backend/session.hpp"
#include "pg/report/clauses.hpp"
#include "pg/report/figure_words.hpp"
#include "pg/report/html.hpp"
#include "pg/report/sections.hpp"
#include "pg/spec/arguments.hpp"

namespace anonkit::pg {
namespace {

Jsonb* answer_of(const Answer& answer, double threshold) {
  JsonObject json;
  json.add("question", answer.id);
  json.add("state", word_of(answer.state));
  json.add_or_null("measure", answer.measure);
  json.add_or_null("attribute", answer.attribute);
  json.add_or_null("value", answer.value);
  json.add("text", answer.text);
  json.add("threshold", threshold);
  json.add("adversary", answer.adversary);
  json.add("assumption", answer.assumption);
  json.add_or_null("reason", answer.reason);
  return json.finish();
}

Jsonb* verdict_of(const Assessment& found) {
  JsonObject json;
  json.add("state", word_of(found.state));
  json.add("text", found.verdict);
  json.add("promised", static_cast<int64>(found.promised));
  json.add("broken", static_cast<int64>(found.broken));
  json.add("verified", static_cast<int64>(found.verified));
  return json.finish();
}

Jsonb* sentences_of(const List* sentences) {
  JsonArray json;
  ListCell* cell;
  foreach (cell, sentences) json.add(static_cast<const char*>(lfirst(cell)));
  return json.finish();
}

/// "kept", "broken", "verified", or "unpromised".
const char* state_of(const ModelFinding& finding, const Findings& findings) {
  if (!is_promised(finding)) return "unpromised";
  if (!is_kept(finding, findings)) return "broken";
  return std::isnan(finding.found) ? "verified" : "kept";
}

Jsonb* levels_of(const Findings& findings) {
  JsonArray levels;
  for (int i = 0; i < findings.model_count; ++i) {
    const ModelFinding& finding = findings.models[i];
    JsonObject json;
    json.add("model", finding.name);
    json.add_or_null("attribute", finding.attribute);
    json.add_or_null("promised", finding.promised);
    json.add("comparison", finding.model == nullptr ? words_of(Comparison::at_least)
                                                    : words_of(finding.model->comparison));
    json.add_or_null("found", finding.found);
    json.add("state", state_of(finding, findings));
    levels.add(json.finish());
  }
  return levels.finish();
}

/// A figure as precise as on the page, if that is public: all digits of a correlation, for
/// instance, are an equation that gives a cell to whoever knows all others.
double printed(double value, bool internal) {
  constexpr double kThousandths = 1000;
  return internal ? value : std::round(kThousandths * value) / kThousandths;
}

Jsonb* figure_json(const Figure& figure, const ShownFigure& seen, const Subject& subject) {
  JsonObject json;
  json.add("measure", figure.measure);
  json.add_or_null("attribute", figure.attribute);
  json.add_or_null("value", printed(seen.value, subject.internal));
  json.add_or_null("below", seen.below);
  json.add_or_null("above", seen.above);
  return json.finish();
}

/// The figures that a page shows; all of them without a list.
Jsonb* figures_json(const Figures& figures, const char* const* measures, const Subject& subject,
                    double records) {
  JsonArray json;
  for (int i = 0; i < figures.count; ++i) {
    const Figure& figure = figures.list[i];
    if (measures == nullptr || is_shown(figure, measures, subject))
      json.add(
          figure_json(figure, shown(figure, figures, records, subject.least_count()), subject));
  }
  return json.finish();
}

Jsonb* columns_json(const Subject& subject) {
  JsonArray columns;
  for (int i = 0; i < subject.count; ++i) {
    const ReportColumn& column = subject.columns[i];
    JsonObject json;
    json.add("name", column.name);
    json.add("role", word_of(column.role));
    json.add("type", column.type);
    json.add_or_null("source_type", column.source_type);
    json.add("recoding", column.recoding);
    columns.add(json.finish());
  }
  return columns.finish();
}

Jsonb* clauses_json(const Clauses& map) {
  JsonArray clauses;
  for (int i = 0; i < map.count; ++i) {
    JsonObject json;
    json.add("framework", map.list[i].framework);
    json.add("item", map.list[i].item);
    json.add("answered_by", word_of(map.list[i].by));
    json.add_or_null("answer", map.list[i].answer);
    clauses.add(json.finish());
  }
  return clauses.finish();
}

void add_identity(JsonObject& json, const Subject& subject, const Findings& findings) {
  json.add("shape", static_cast<int64>(kReportShape));
  json.add("kind", "release");
  json.add("release", qualified_name_of(subject.relation));
  json.add_or_null("source",
                   OidIsValid(subject.source) ? qualified_name_of(subject.source) : nullptr);
  json.add("internal", subject.internal);
  json.add("records", findings.records());
  json.add("k", static_cast<int64>(subject.k()));
  json.add("threshold", subject.threshold);
  json.add_or_null("fingerprint", findings.fingerprint);
  json.add_or_null("not_compared", subject.not_compared);
}

}  // namespace

ReportFormat format_argument(FunctionCallInfo fcinfo) {
  const char* format = text_argument(fcinfo, "format");
  if (format == nullptr || std::strcmp(format, "html") == 0) return ReportFormat::html;
  if (std::strcmp(format, "json") == 0) return ReportFormat::json;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("format must be one of 'html', 'json'")));
  pg_unreachable();
}

void add_context(JsonObject& json, const Context& context) {
  if (context.empty()) {
    json.add_null("context");
    json.add_null("context_fingerprint");
    return;
  }
  json.add("context", context.json);
  json.add("context_fingerprint", fingerprint_of(context.json));
}

varlena* json_text(Jsonb* json) {
  return cstring_to_text(JsonbToCString(nullptr, &json->root, VARSIZE(json)));
}

varlena* report_as_json(const Subject& subject, const Findings& findings) {
  const Assessment found = assess(subject, findings);
  const double records = findings.records();
  JsonObject json;
  add_identity(json, subject, findings);
  json.add("verdict", verdict_of(found));
  JsonArray answers;
  for (const Answer& answer : found.answers) answers.add(answer_of(answer, subject.threshold));
  json.add("answers", answers.finish());
  json.add("levels", levels_of(findings));
  json.add("next_steps", sentences_of(found.next));
  json.add("risk", figures_json(findings.risk, kSingledOutMeasures, subject, records));
  json.add("values", figures_json(findings.risk, kValueMeasures, subject, records));
  json.add("linkage", figures_json(findings.linkage, kLinkedMeasures, subject, records));
  json.add("inference", figures_json(findings.inference, kInferenceMeasures, subject, records));
  json.add("utility", figures_json(findings.utility, subject.internal ? nullptr : kUtilityMeasures,
                                   subject, records));
  json.add("columns", columns_json(subject));
  json.add("residual_risks", sentences_of(residual_risks(subject, findings)));
  json.add_or_null("statement", statement_of(subject));
  add_context(json, subject.context);
  json.add("clauses", clauses_json(map_clauses(subject, found, findings)));
  return json_text(json.finish());
}

}  // namespace anonkit::pg
