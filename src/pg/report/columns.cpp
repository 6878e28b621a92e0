#include <cmath>
#include <cstring>

#include "base/at.hpp"

#include "pg/report/page.hpp"
#include "pg/report/sections.hpp"

namespace anonkit::pg {
namespace {

void write_bars_of(const Html& html, const Subject& subject, const Findings& findings,
                   const ReportColumn& of) {
  for (int j = 0; findings.bars != nullptr && j < findings.cells.count; ++j) {
    const PairColumn& column = findings.cells.columns[j];
    if (std::strcmp(column.name, of.name) == 0)
      write_distribution(html, column, (*findings.bars)[at(j)], findings.cells,
                         subject.compares(of.role) && !column.as_text, subject.internal);
  }
}

/// The type of a column's published numbers; InvalidOid for categories.
Oid type_of_numbers(const Findings& findings, const char* name) {
  for (int j = 0; j < findings.cells.count; ++j)
    if (findings.cells.columns[j].numeric && std::strcmp(findings.cells.columns[j].name, name) == 0)
      return findings.cells.columns[j].number[1].type;
  return InvalidOid;
}

void write_nulls_row(const Html& html, const Figures& utility, const char* column,
                     const char* const* names) {
  const double before = utility.find("nulls_original", column);
  if (std::isnan(before)) return;
  html.raw("<tr>").cell(names[0], "nulls").cell(names[1], share_text(before));
  html.cell(names[2], share_text(utility.find("nulls_masked", column))).raw("</tr>\n");
}

/// Writes the quantiles, which are values of the source.
void write_quantiles(const Html& html, const Findings& findings, const char* column) {
  static constexpr const char* kColumns[] = {"Statistic", "Before masking", "After masking"};
  const Oid type = type_of_numbers(findings, column);
  const Figures& utility = findings.utility;
  html.raw("<table>").head(kColumns, 3).raw("<tbody>\n");
  write_nulls_row(html, utility, column, kColumns);
  for (const char* measure :
       {"mean", "quantile_05", "quantile_25", "quantile_50", "quantile_75", "quantile_95"}) {
    const double before = utility.find(psprintf("%s_original", measure), column);
    const double after = utility.find(psprintf("%s_masked", measure), column);
    html.raw("<tr>").cell(kColumns[0], measure).cell(kColumns[1], edge_text(type, before));
    html.cell(kColumns[2], edge_text(type, after)).raw("</tr>\n");
  }
  html.raw("</tbody></table>\n");
}

void write_loss(const Html& html, const char* name, double value, const char* text) {
  if (!std::isnan(value)) write_fact(html, name, text);
}

/// The share of the variance left after masking, and the shift of the mean in deviations. What a
/// column does not have is left out.
void write_losses(const Html& html, const Figures& utility, const ReportColumn& column) {
  const double hellinger = utility.find("hellinger", column.name);
  if (std::isnan(hellinger)) return;
  const double distance = utility.find("kolmogorov_smirnov", column.name);
  const double ncp = utility.find("ncp", column.name);
  const double before = utility.find("variance_original", column.name);
  const double variance = before > 0 ? before : NAN;
  const double kept = utility.find("variance_masked", column.name) / variance;
  const double deviations = std::fabs(
      (utility.find("mean_masked", column.name) - utility.find("mean_original", column.name)) /
      std::sqrt(variance));
  html.raw("<dl class=\"loss\">\n");
  write_loss(html, "Kolmogorov-Smirnov distance (0: none)", distance, number_text(distance));
  write_loss(html, "Hellinger distance (0: none)", hellinger, number_text(hellinger));
  write_loss(html, "Share of the domain that a cell covers (NCP)", ncp, share_text(ncp));
  write_loss(html, "Variance kept", kept, share_text(kept));
  write_loss(html, "Mean moved by", deviations, psprintf("%.3f standard deviations", deviations));
  html.raw("</dl>\n");
}

void write_column(const Html& html, const Subject& subject, const Findings& findings,
                  const ReportColumn& column) {
  html.raw("<article><h3>").text(column.name).raw("</h3>\n<p><strong>");
  html.text(word_of(column.role)).raw("</strong>, published as ").text(column.type);
  if (column.source_type != nullptr) html.raw(", from ").text(column.source_type);
  html.raw(". Recoding: ").text(column.recoding).raw(".</p>\n");
  if (column.role != Role::keep && subject.compares(column.role))
    write_losses(html, findings.utility, column);
  if (column.comparable) write_bars_of(html, subject, findings, column);
  if (subject.internal && !std::isnan(findings.utility.find("mean_original", column.name)))
    write_quantiles(html, findings, column.name);
  html.raw("</article>\n");
}

}  // namespace

void write_columns(const Html& html, const Subject& subject, const Findings& findings) {
  html.raw("<section id=\"columns\"><h2>Columns</h2>\n");
  if (subject.not_compared != nullptr)
    html.raw(
            "<p class=\"missing\">Distributions are those of the release alone. The source was "
            "not compared: ")
        .text(subject.not_compared)
        .raw(".</p>\n");
  for (int i = 0; i < subject.count; ++i) write_column(html, subject, findings, subject.columns[i]);
  html.raw("</section>\n");
}

void write_correlations(const Html& html, const Subject& subject, const Findings& findings) {
  static constexpr const char* kColumns[] = {"Columns", "Before masking", "After masking",
                                             "Change"};
  const Figures& utility = findings.utility;
  html.raw("<section id=\"correlations\"><h2>Correlations</h2>\n");
  if (subject.not_compared != nullptr)
    html.raw("<p class=\"missing\">The source was not compared: ")
        .text(subject.not_compared)
        .raw(".</p>\n");
  html.raw("<table>").head(kColumns, 4).raw("<tbody>\n");
  for (int i = 0; i < utility.count; ++i) {
    const Figure& figure = utility.list[i];
    if (std::strcmp(figure.measure, "correlation_original") != 0) continue;
    const double after = utility.find("correlation_masked", figure.attribute);
    if (std::isnan(figure.value) || std::isnan(after)) continue;
    html.raw("<tr>").cell(kColumns[0], figure.attribute);
    html.cell(kColumns[1], psprintf("%.3f", figure.value));
    html.cell(kColumns[2], psprintf("%.3f", after));
    html.cell(kColumns[3], psprintf("%+.3f", after - figure.value)).raw("</tr>\n");
  }
  html.raw("</tbody></table>\n<dl>\n");
  html.raw("<div><dt>Propensity-score mean squared error</dt><dd>");
  html.text(number_text(utility.find("propensity_mse"))).raw("</dd></div>\n");
  html.raw("<div><dt>Mean relative error of random range counts</dt><dd>");
  html.text(share_text(utility.find("query_error"))).raw("</dd></div>\n</dl>\n</section>\n");
}

}  // namespace anonkit::pg
