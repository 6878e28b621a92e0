// anon_report: all facts about a release, as one page of HTML to file and to sign, or as JSON.

#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/report/page.hpp"
#include "pg/report/report_json.hpp"
#include "pg/report/sections.hpp"

namespace anonkit::pg {
namespace {

void write_heading(const Html& html, const Subject& subject) {
  html.raw("<header>\n");
  if (subject.internal)
    html.raw(
        "<p class=\"class internal\">INTERNAL</p>\n<p>This page may hold values of the source. "
        "It is not to be published.</p>\n");
  else
    html.raw(
            "<p class=\"class public\">PUBLIC</p>\n<p>This page holds no value of the source, and "
            "no count of fewer than ")
        .integer(subject.k())
        .raw(" records but the levels that were measured.");
  if (!subject.internal && !subject.context.empty())
    html.raw(" It holds the context that the owner wrote.");
  if (!subject.internal) html.raw("</p>\n");
  html.raw("<h1>Disclosure report: ")
      .text(relation_name(subject.relation))
      .raw("</h1>\n</header>\n");
}

varlena* write_page(const Subject& subject, const Findings& findings) {
  const Assessment found = assess(subject, findings);
  const Html html;
  write_page_head(html, psprintf("Disclosure report: %s", relation_name(subject.relation)));
  write_heading(html, subject);
  html.raw("<main>\n");
  write_verdict(html, subject, found, findings);
  write_contents(html, subject);
  write_reading(html, subject);
  write_levels(html, subject, found, findings);
  write_identity(html, subject, findings);
  write_context(html, subject.context, subject.of_owner);
  write_attacks(html, subject, found, findings);
  write_class_sizes(html, subject, findings);
  write_columns(html, subject, findings);
  write_correlations(html, subject, findings);
  write_residual(html, subject, findings);
  write_history(html, subject);
  write_statement(html, subject);
  write_clauses(html, subject, found, findings);
  write_signature(html);
  html.raw("</main>\n");
  write_page_end(html, "anon_audit, anon_risk, anon_linkage, anon_infer or anon_utility");
  return html.finish();
}

Datum report(FunctionCallInfo fcinfo) {
  const MemoryContext outer = CurrentMemoryContext;
  const Session session = open_session();
  const bool as_json = format_argument(fcinfo) == ReportFormat::json;
  const OwnSettings settings = begin_own_settings();
  const Subject subject = read_subject(fcinfo);
  const Findings findings = measure_subject(subject);
  const varlena* page = as_json ? report_as_json(subject, findings) : write_page(subject, findings);
  void* copy = copied(page, outer);
  end_own_settings(settings);
  close_session(session);
  PG_RETURN_POINTER(copy);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_report) {
  return anonkit::pg::report(fcinfo);
}
