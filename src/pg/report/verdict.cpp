// The first screen of a report, and the table of levels that follows it.

#include <algorithm>
#include <cmath>

#include "pg/report/page.hpp"
#include "pg/report/sections.hpp"

namespace anonkit::pg {
namespace {

void write_sign(const Html& html, State state) {
  switch (state) {
    case State::good:
      html.raw("<span class=\"good\">&#10003; ");
      break;
    case State::high:
      html.raw("<span class=\"high\">&#9650; ");
      break;
    case State::broken:
      html.raw("<span class=\"bad\">&#10007; ");
      break;
    case State::open:
      html.raw("<span class=\"open\">&#9675; ");
      break;
  }
}

/// A bar of the share, and the threshold as a line across it.
void write_gauge(const Html& html, const Answer& answer, double threshold) {
  const double whole = std::min(1.0, std::fmax(1.1 * answer.value, 3 * threshold));
  const double scale = whole > 0 ? 100 / whole : 0;
  html.raw("<svg role=\"img\" class=\"gauge\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\">");
  html.raw("<title>").text(answer.question).raw("</title><desc>").text(answer.text);
  html.raw(", with a threshold of ").text(share_text(threshold)).raw("</desc>");
  if (answer.state == State::good)
    html.raw("<rect class=\"within\"");
  else
    html.raw("<rect class=\"above\"");
  html.raw(" height=\"8\" width=\"").coordinate(std::fmax(0.6, scale * answer.value)).raw("\"/>");
  html.raw("<line x1=\"").coordinate(scale * threshold).raw("\" x2=\"");
  html.coordinate(scale * threshold).raw("\" y1=\"0\" y2=\"8\"/></svg>\n<p class=\"scale\">");
  html.text(answer.state == State::good ? "within the threshold of " : "above the threshold of ");
  html.text(share_text(threshold)).raw(" (the line)</p>\n");
}

void write_answer(const Html& html, const Answer& answer, double threshold) {
  html.raw("<article class=\"answer\"><h3>")
      .text(answer.question)
      .raw("</h3>\n<p class=\"figure\">");
  write_sign(html, answer.state);
  html.text(answer.text).raw("</span></p>\n");
  if (answer.state == State::open)
    html.raw("<p>").text(answer.reason).raw("</p>\n");
  else
    write_gauge(html, answer, threshold);
  if (answer.figure != nullptr) html.raw("<p>").text(answer.figure).raw("</p>\n");
  html.raw("<p class=\"basis\"><strong>Adversary.</strong> ").text(answer.adversary);
  html.raw(" <strong>Assumption.</strong> ").text(answer.assumption).raw("</p>\n</article>\n");
}

/// How a promise that the rows do not show is known to hold.
const char* proof_of(Verification verification) {
  switch (verification) {
    case Verification::none:
      return "verified when it was published; the release alone does not show it";
    case Verification::earlier:
      return "verified by computing all rows again when it was published; its owner can repeat it";
    case Verification::repeated:
      return "verified for this page by computing all rows again from the source and the secret";
    case Verification::changed:
      return "verified by computing all rows again when it was published; the source has changed "
             "since";
    case Verification::failed:
      break;
  }
  return "not kept: the rows are not what the private classes and the secret make";
}

void write_promise(const Html& html, const ModelFinding& finding, const Findings& findings) {
  html.raw("<li>");
  write_sign(html, is_kept(finding, findings) ? State::good : State::broken);
  html.text(property_of(finding)).raw(", ").text(level_of(finding)).raw("</span>: ");
  if (std::isnan(finding.found))
    html.text(proof_of(findings.verification));
  else
    html.raw("measured ").text(number_text(finding.found));
  html.raw("</li>\n");
}

void write_promises(const Html& html, const Assessment& found, const Findings& findings) {
  html.raw("<h3>Promised and kept</h3>\n");
  if (found.promised == 0) {
    html.raw("<p>Nothing was promised. The levels below were measured.</p>\n");
    return;
  }
  html.raw("<ul class=\"plain\">\n");
  for (int i = 0; i < findings.model_count; ++i)
    if (is_promised(findings.models[i])) write_promise(html, findings.models[i], findings);
  html.raw("</ul>\n");
}

void write_next(const Html& html, const Assessment& found) {
  html.raw("<h3>What to do next</h3>\n<ol>\n");
  ListCell* cell;
  foreach (cell, found.next)
    html.raw("<li>").text(static_cast<const char*>(lfirst(cell))).raw("</li>\n");
  html.raw("</ol>\n");
}

constexpr const char* kPromiseColumns[] = {"Property", "Promised", "Measured", "Verdict"};

void write_model(const Html& html, const ModelFinding& finding, const Findings& findings) {
  html.raw("<tr>").cell(kPromiseColumns[0], property_of(finding));
  html.cell(kPromiseColumns[1], level_of(finding));
  html.cell(kPromiseColumns[2],
            std::isnan(finding.found) ? "not by the rows" : number_text(finding.found));
  if (std::isnan(finding.found) && findings.verification != Verification::failed)
    html.cell(kPromiseColumns[3], proof_of(findings.verification));
  else
    write_judgement(html, is_kept(finding, findings),
                    is_kept(finding, findings) ? "kept" : "not kept");
  html.raw("</tr>\n");
}

/// Levels that were not promised, in one line.
void write_unpromised(const Html& html, const Findings& findings) {
  bool any = false;
  for (int i = 0; i < findings.model_count; ++i) {
    const ModelFinding& finding = findings.models[i];
    if (is_promised(finding)) continue;
    if (any)
      html.raw("; ");
    else
      html.raw("<p>Measured, but not promised: ");
    any = true;
    html.text(property_of(finding)).raw(" ").text(number_text(finding.found));
  }
  if (any) html.raw(".</p>\n");
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

void write_verdict(const Html& html, const Subject& subject, const Assessment& found,
                   const Findings& findings) {
  html.raw("<section id=\"verdict\"><h2>Verdict</h2>\n<p class=\"verdict\">");
  write_sign(html, found.state);
  html.text(found.verdict).raw("</span></p>\n<div class=\"answers\">\n");
  for (const Answer& answer : found.answers) write_answer(html, answer, subject.threshold);
  html.raw("</div>\n");
  write_promises(html, found, findings);
  write_next(html, found);
  html.raw("</section>\n");
}

void write_levels(const Html& html, const Subject& subject, const Assessment& found,
                  const Findings& findings) {
  html.raw("<section id=\"levels\"><h2>Levels</h2>\n<p>");
  if (subject.swapped)
    html.raw(
        "The release has probabilistic anonymity: its classes are private, and an audit of its "
        "rows counts none. Rows were compared with what the private classes and the secret "
        "make.");
  else
    html.raw(
        "Levels were measured on the published rows, not taken from the program that made them.");
  html.raw("</p>\n");
  if (found.promised > 0) {
    html.raw("<table><caption>Promised and measured</caption>").head(kPromiseColumns, 4);
    html.raw("<tbody>\n");
    for (int i = 0; i < findings.model_count; ++i)
      if (is_promised(findings.models[i])) write_model(html, findings.models[i], findings);
    html.raw("</tbody></table>\n");
  }
  write_unpromised(html, findings);
  if (subject.internal && !subject.swapped) write_worst(html, findings);
  html.raw("</section>\n");
}

}  // namespace anonkit::pg
