// anon_report: all facts about a release, as one page of HTML to file and to sign.

#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/report/sections.hpp"
#include "pg/report/style.hpp"

namespace anonkit::pg {
namespace {

/// The page forbids the browser to load any script, font or image.
void write_head(const Html& html, const char* title) {
  html.raw(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>");
  html.text(title).raw("</title>\n<style>").raw(kStyle).raw("</style>\n</head>\n<body>\n");
}

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
        .raw(" records.</p>\n");
  html.raw("<h1>Disclosure report: ")
      .text(get_rel_name(subject.relation))
      .raw("</h1>\n</header>\n");
}

void write_end(const Html& html) {
  html.raw(
      "</main>\n<section id=\"signature\"><h2>Signature</h2>\n<dl class=\"sign\">"
      "<div><dt>Reviewed by</dt><dd></dd></div><div><dt>Date</dt><dd></dd></div>"
      "<div><dt>Decision and signature</dt><dd></dd></div></dl>\n</section>\n"
      "<footer>Every figure is a row of anon_audit, anon_risk, anon_linkage, anon_infer or "
      "anon_utility.</footer>\n</body>\n</html>\n");
}

Datum report(FunctionCallInfo fcinfo) {
  const MemoryContext outer = CurrentMemoryContext;
  const Session session = open_session();
  const OwnSettings settings = begin_own_settings();
  const Subject subject = read_subject(fcinfo);
  const Findings findings = measure_subject(subject);
  const Html html;
  write_head(html, psprintf("Disclosure report: %s", get_rel_name(subject.relation)));
  write_heading(html, subject);
  html.raw("<main>\n");
  write_verdict(html, subject, findings);
  write_identity(html, subject, findings);
  write_attacks(html, subject, findings);
  write_class_sizes(html, subject, findings);
  write_columns(html, subject, findings);
  write_correlations(html, subject, findings);
  write_residual(html, subject, findings);
  write_history(html, subject);
  write_statement(html, subject);
  write_end(html);
  MemoryContext inner = MemoryContextSwitchTo(outer);
  text* page = html.finish();
  MemoryContextSwitchTo(inner);
  end_own_settings(settings);
  close_session(session);
  PG_RETURN_TEXT_P(page);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_report) {
  return anonkit::pg::report(fcinfo);
}
