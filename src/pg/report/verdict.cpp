#include <cmath>
#include <cstring>

#include "pg/report/page.hpp"
#include "pg/report/sections.hpp"

namespace anonkit::pg {
namespace {

constexpr const char* kVerdictColumns[] = {"Property", "Promised", "Measured", "Threshold",
                                           "Verdict"};

const char* direction(const ModelFinding& finding) {
  return words_of(finding.model == nullptr ? Comparison::at_least : finding.model->comparison);
}

void write_row(const Html& html, const char* property, const char* promised, const char* measured,
               const char* threshold) {
  html.raw("<tr>").cell(kVerdictColumns[0], property).cell(kVerdictColumns[1], promised);
  html.cell(kVerdictColumns[2], measured).cell(kVerdictColumns[3], threshold);
}

void write_model(const Html& html, const ModelFinding& finding) {
  const char* property = finding.attribute != nullptr
                             ? psprintf("%s of %s", finding.name, finding.attribute)
                             : finding.name;
  const bool promised = !std::isnan(finding.promised);
  const char* level =
      promised ? psprintf("%s %s", direction(finding), number_text(finding.promised)) : "-";
  write_row(html, property, level, number_text(finding.found), level);
  if (promised && std::isnan(finding.found))
    html.cell(kVerdictColumns[4],
              "verified when it was published; the release alone does not show it");
  else if (promised)
    write_judgement(html, finding.keeps(), finding.keeps() ? "kept" : "not kept");
  else
    html.cell(kVerdictColumns[4], "not promised");
  html.raw("</tr>\n");
}

bool is_promised(const ModelFinding& finding) {
  return !std::isnan(finding.promised);
}

int broken_promises(const Findings& findings) {
  int broken = 0;
  for (int i = 0; i < findings.model_count; ++i) {
    const ModelFinding& finding = findings.models[i];
    if (is_promised(finding) && !std::isnan(finding.found) && !finding.keeps()) ++broken;
  }
  return broken;
}

/// The promised k as a limit of the largest risk.
double promised_risk(const Findings& findings) {
  for (int i = 0; i < findings.model_count; ++i)
    if (std::strcmp(findings.models[i].name, "k-anonymity") == 0 && is_promised(findings.models[i]))
      return 1 / findings.models[i].promised;
  return NAN;
}

void write_risks(const Html& html, const Subject& subject, const Findings& findings) {
  const double promised = promised_risk(findings);
  const char* threshold = psprintf("at most %s", share_text(subject.threshold));
  const double largest = findings.risk.find("prosecutor_max");
  const bool below = largest <= subject.threshold;
  write_row(html, "largest re-identification risk",
            std::isnan(promised) ? "-" : psprintf("at most %s", share_text(promised)),
            share_text(largest), threshold);
  write_judgement(html, below, below ? "below the threshold" : "above the threshold");
  html.raw("</tr>\n");
  const double mean = findings.risk.find("prosecutor_mean");
  write_row(html, "mean re-identification risk", "-", share_text(mean), threshold);
  write_judgement(html, mean <= subject.threshold,
                  mean <= subject.threshold ? "below the threshold" : "above the threshold");
  html.raw("</tr>\n");
}

void write_models(const Html& html, const Findings& findings, bool promised) {
  for (int i = 0; i < findings.model_count; ++i)
    if (is_promised(findings.models[i]) == promised) write_model(html, findings.models[i]);
}

void write_summary(const Html& html, const Subject& subject, const Findings& findings) {
  const int broken = broken_promises(findings);
  const bool asked = subject.promised.count > 0 || subject.of_aggregates();
  html.raw("<p class=\"verdict\">");
  if (!asked)
    html.raw("Nothing was promised of this relation. The levels below were measured.");
  else if (broken == 0)
    html.raw("<span class=\"good\">&#10003; Every promise that the release shows is kept.</span>");
  else
    html.raw("<span class=\"bad\">&#10007; Promises that are not kept: ")
        .integer(broken)
        .raw(".</span>");
  if (findings.risk.find("prosecutor_max") > subject.threshold)
    html.raw(" <span class=\"bad\">The largest risk is above the threshold.</span>");
  html.raw(
      " Promises were measured on the published rows, not taken from the program that made "
      "them.</p>\n");
}

void write_worst(const Html& html, const Findings& findings) {
  html.raw("<details open><summary>Worst classes</summary><ul>\n");
  for (int i = 0; i < findings.model_count; ++i)
    if (findings.models[i].worst != nullptr)
      html.raw("<li>")
          .text(findings.models[i].name)
          .raw(": <code>")
          .text(findings.models[i].worst)
          .raw("</code></li>\n");
  html.raw("</ul></details>\n");
}

}  // namespace

void write_verdict(const Html& html, const Subject& subject, const Findings& findings) {
  html.raw("<section id=\"verdict\"><h2>Verdict</h2>\n");
  write_summary(html, subject, findings);
  html.raw("<table><caption>Promised, measured, and the threshold that decides</caption>");
  html.head(kVerdictColumns, 5).raw("<tbody>\n");
  write_models(html, findings, true);
  write_risks(html, subject, findings);
  html.raw(
      "</tbody></table>\n<details open><summary>Levels that were not promised</summary><table>");
  html.head(kVerdictColumns, 5).raw("<tbody>\n");
  write_models(html, findings, false);
  html.raw("</tbody></table></details>\n");
  if (subject.internal) write_worst(html, findings);
  html.raw("</section>\n");
}

}  // namespace anonkit::pg
