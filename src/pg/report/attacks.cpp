#include <cmath>

#include "pg/report/figure_words.hpp"
#include "pg/report/sections.hpp"

namespace anonkit::pg {
namespace {

constexpr const char* kFigureColumns[] = {"Figure", "Value", "Meaning"};

void write_figures(const Html& html, const Figures& figures, const char* const* measures,
                   const Subject& subject, double records) {
  html.raw("<table class=\"figures\">").head(kFigureColumns, 3).raw("<tbody>\n");
  for (int i = 0; i < figures.count; ++i) {
    const Figure& figure = figures.list[i];
    if (!is_shown(figure, measures, subject) || std::isnan(figure.value)) continue;
    html.raw("<tr>").cell(kFigureColumns[0], words_of(figure, subject.threshold));
    html.cell(kFigureColumns[1], shown(figure, figures, records, subject.least_count()).text);
    html.cell(kFigureColumns[2], figure.explanation).raw("</tr>\n");
  }
  html.raw("</tbody></table>\n");
}

/// The adversary of a figure, and the assumption that it rests on.
void write_basis(const Html& html, const char* adversary, const char* assumption) {
  html.raw("<p class=\"basis\"><strong>Adversary.</strong> ").text(adversary);
  html.raw(" <strong>Assumption.</strong> ").text(assumption).raw("</p>\n");
}

void write_not_compared(const Html& html, const Subject& subject) {
  html.raw("<p class=\"missing\">This needs the source, which was not compared: ")
      .text(subject.not_compared)
      .raw(".</p>\n");
}

/// Lists the columns that the attacks omit.
void write_left_out(const Html& html, const Subject& subject) {
  for (int i = 0; i < subject.count; ++i)
    if (!subject.columns[i].comparable)
      html.raw("<p class=\"missing\">Column <q>")
          .text(subject.columns[i].name)
          .raw(
              "</q> has infinite values, pseudonyms, or values without an order: "
              "comparisons do without it.</p>\n");
}

}  // namespace

void write_attacks(const Html& html, const Subject& subject, const Assessment& found,
                   const Findings& findings) {
  const double records = findings.records();
  const Answer* answers = found.answers;
  html.raw(
      "<section id=\"attacks\"><h2>Singled out, linked, inferred: all figures</h2>\n"
      "<h3>Singled out</h3>\n");
  write_basis(html, answers[0].adversary, answers[0].assumption);
  if (subject.swapped)
    html.raw("<p>The bound is the promise: ")
        .text(answers[0].text)
        .raw(". A release by swapping has no classes that readers can count.</p>\n");
  else
    write_figures(html, findings.risk, kSingledOutMeasures, subject, records);
  html.raw("<h3>Linked</h3>\n");
  write_basis(html, answers[1].adversary, answers[1].assumption);
  if (subject.not_compared != nullptr)
    write_not_compared(html, subject);
  else
    write_figures(html, findings.linkage, kLinkedMeasures, subject, records);
  html.raw("<h3>Inferred</h3>\n");
  write_basis(html, answers[2].adversary, answers[2].assumption);
  write_figures(html, findings.risk, kValueMeasures, subject, records);
  if (subject.not_compared != nullptr)
    write_not_compared(html, subject);
  else if (findings.inference.count > 0)
    write_figures(html, findings.inference, kInferenceMeasures, subject, records);
  write_left_out(html, subject);
  html.raw("</section>\n");
}

}  // namespace anonkit::pg
