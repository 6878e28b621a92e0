#include <cmath>
#include <cstring>

#include "pg/report/sections.hpp"

namespace anonkit::pg {
namespace {

constexpr const char* kFigureColumns[] = {"Figure", "Value", "Meaning"};

/// The format of a figure: a share of records is folded like its count.
enum class Form : uint8 { number, count, probability, share_of_records };

Form form_of(const char* measure) {
  for (const char* count : {"records", "sample_uniques", "special_uniques", "homogeneous_classes",
                            "unique_values", "unique_exact_matches"})
    if (std::strcmp(measure, count) == 0) return Form::count;
  if (std::strncmp(measure, "minimal_uniques_", 16) == 0) return Form::count;
  for (const char* share : {"prosecutor_above_threshold", "certain_inferences", "single",
                            "range_ends", "lonely_range_ends"})
    if (std::strcmp(measure, share) == 0) return Form::share_of_records;
  for (const char* number : {"candidates", "suda_max", "suda_mean"})
    if (std::strcmp(measure, number) == 0) return Form::number;
  return Form::probability;
}

const char* value_text(const ReportFigure& figure, double records, double least) {
  switch (form_of(figure.measure)) {
    case Form::number:
      return number_text(figure.value);
    case Form::count:
      return folded_count_text(figure.value, least);
    case Form::share_of_records:
      if (figure.value > 0 && figure.value * records < least)
        return psprintf("under %s", share_text(least / records));
      break;
    case Form::probability:
      break;
  }
  return share_text(figure.value);
}

/// "prosecutor_max" as words.
char* words_of(const ReportFigure& figure) {
  char* words = pstrdup(figure.measure);
  for (char* c = words; *c != '\0'; ++c)
    if (*c == '_') *c = ' ';
  return figure.attribute != nullptr ? psprintf("%s of %s", words, figure.attribute) : words;
}

bool is_among(const char* measure, const char* const* measures, int count) {
  for (int i = 0; i < count; ++i)
    if (std::strcmp(measure, measures[i]) == 0) return true;
  return false;
}

/// True for a kept column's figure to omit: only its unique values matter.
bool is_of_kept(const ReportFigure& figure, const Subject& subject) {
  if (figure.attribute == nullptr || std::strcmp(figure.measure, "unique_values") == 0)
    return false;
  const Names kept = subject.names({Role::keep});
  return is_among(figure.attribute, kept.names, kept.count);
}

template <int N>
void write_figures(const Html& html, const ReportFigures& figures, const char* const (&measures)[N],
                   const Subject& subject, double records) {
  html.raw("<table class=\"figures\">").head(kFigureColumns, 3).raw("<tbody>\n");
  for (int i = 0; i < figures.count; ++i) {
    const ReportFigure& figure = figures.list[i];
    if (!is_among(figure.measure, measures, N) || is_of_kept(figure, subject)) continue;
    html.raw("<tr>").cell(kFigureColumns[0], words_of(figure));
    html.cell(kFigureColumns[1], value_text(figure, records, subject.least_count()));
    html.cell(kFigureColumns[2], figure.explanation).raw("</tr>\n");
  }
  html.raw("</tbody></table>\n");
}

void write_not_compared(const Html& html, const Subject& subject) {
  html.raw("<p class=\"missing\">This needs the source, which was not read: ")
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
              "</q> has nulls, infinite values, pseudonyms, or values without an order: "
              "comparisons do without it.</p>\n");
}

}  // namespace

void write_attacks(const Html& html, const Subject& subject, const Findings& findings) {
  const double records = findings.records();
  html.raw(
      "<section id=\"attacks\"><h2>Can somebody be singled out, linked, inferred?</h2>\n"
      "<h3>Singled out</h3>\n");
  write_figures(html, findings.risk,
                {"prosecutor_max", "prosecutor_mean", "prosecutor_above_threshold",
                 "sample_uniques", "special_uniques", "suda_max"},
                subject, records);
  html.raw("<h3>Linked</h3>\n");
  if (subject.not_compared != nullptr)
    write_not_compared(html, subject);
  else
    write_figures(html, findings.linkage,
                  {"candidates", "single", "expected", "by_chance", "unique_exact_matches"},
                  subject, records);
  html.raw("<h3>Inferred</h3>\n");
  write_figures(html, findings.risk, {"homogeneous_classes", "certain_inferences", "unique_values"},
                subject, records);
  if (subject.not_compared != nullptr)
    write_not_compared(html, subject);
  else if (findings.inference.count > 0)
    write_figures(html, findings.inference,
                  {"base", "class", "nearest", "bayes", "class_advantage", "nearest_advantage",
                   "bayes_advantage", "range_ends", "lonely_range_ends"},
                  subject, records);
  write_left_out(html, subject);
  html.raw("</section>\n");
}

}  // namespace anonkit::pg
