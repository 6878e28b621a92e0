#include "pg/report/column_bars.hpp"

#include <cmath>

#include "base/at.hpp"

#include "pg/backend/session.hpp"
#include "pg/backend/user_query.hpp"
#include "pg/read/number_type.hpp"
#include "pg/report/chart.hpp"

namespace anonkit::pg {
namespace {

std::vector<double> category_counts(const CellColumn& column, std::int32_t rows) {
  std::vector<double> counts(at(column.categories), 0);
  for (std::int32_t i = 0; i < rows; ++i) ++counts[at(column.codes[i])];
  return counts;
}

/// Bars are shares of the numbers. Those of all records would tell how few lack one.
ChartBars chart_bars(const std::vector<Bar>& bars, const Bins& bins, Oid type) {
  double numbers = 0;
  for (const Bar& bar : bars) numbers += bar.records;
  ChartBars chart = {allocate<ChartBar>(static_cast<int64>(bars.size())), 0, numbers};
  for (const Bar& bar : bars)
    chart.bars[chart.count++] = {bar.first, bar.last, bar.records,
                                 psprintf("%s to %s", edge_text(type, bins.edge(bar.first)),
                                          edge_text(type, bins.edge(bar.last + 1)))};
  return chart;
}

void write_numbers(const Html& html, const PairColumn& column, const ColumnBars& bars) {
  const Oid type = column.number[1].type;
  const Axis axis = {bars.bins.count, edge_text(type, bars.bins.edge(0)),
                     edge_text(type, bars.bins.edge(bars.bins.count))};
  write_chart(html, psprintf("Distribution of %s", column.name),
              chart_bars(bars.original, bars.bins, type), "before masking",
              chart_bars(bars.masked, bars.bins, type), "after masking", axis);
}

/// "most frequent value", "2nd most frequent value".
const char* place_text(int place) {
  if (place == 1) return "most frequent value";
  const char* ending = place == 2 ? "nd" : place == 3 ? "rd" : "th";
  return psprintf("%d%s most frequent value", place, ending);
}

/// The text of a value; its place on a public page.
const char* category_text(const PairColumn& column, const CategoryBar& bar, int place, bool named) {
  if (bar.category == CategoryBar::kOthers) return "all others";
  if (!named) return place_text(place);
  if (bar.category >= values_of(column.ranks)) return "null";
  return output_of(column.ranks.type, column.ranks.values[bar.category]);
}

void write_share_cell(const Html& html, const char* name, double records, double all, bool masked) {
  html.raw("<td data-label=\"").text(name).raw("\">").text(share_text(records / all));
  write_share_bar(html, records / all, masked);
  html.raw("</td>");
}

void write_categories(const Html& html, const PairColumn& column, const ColumnBars& bars,
                      const PairData& cells, bool compared, bool named) {
  static constexpr const char* kColumns[] = {"Value", "Before masking", "After masking"};
  const char* names[] = {kColumns[0], compared ? kColumns[1] : kColumns[2], kColumns[2]};
  html.raw("<table class=\"shares\"><caption>Values of ").text(column.name);
  html.raw(", the most frequent first</caption>").head(names, compared ? 3 : 2).raw("<tbody>\n");
  int place = 0;
  for (const CategoryBar& bar : bars.categories) {
    if (!compared && bar.masked == 0) continue;
    html.raw("<tr>").cell(kColumns[0], category_text(column, bar, ++place, named));
    if (compared)
      write_share_cell(html, kColumns[1], bar.original, static_cast<double>(cells.rows[0]), false);
    write_share_cell(html, kColumns[2], bar.masked, static_cast<double>(cells.rows[1]), true);
    html.raw("</tr>\n");
  }
  html.raw("</tbody></table>\n");
}

}  // namespace

ColumnBars bars_of(const CellsPair& pair, std::size_t j, Shown shown, double least,
                   Ticker& ticker) {
  constexpr std::int32_t kBins = 24;
  constexpr std::size_t kCategories = 8;
  const CellColumn& original = pair.original.columns[j];
  const CellColumn& masked = pair.masked.columns[j];
  const bool compared = shown != Shown::masked;
  ColumnBars bars;
  bars.numeric = masked.numeric();
  if (bars.numeric) {
    bars.bins = shown == Shown::on_original_axis
                    ? round_bins(original, pair.original.rows, kBins, ticker)
                    : round_bins(masked, pair.masked.rows, kBins, ticker);
    bars.masked = folded(binned(masked, pair.masked.rows, bars.bins, ticker), least);
    if (compared)
      bars.original = folded(binned(original, pair.original.rows, bars.bins, ticker), least);
    return bars;
  }
  const std::vector<double> after = category_counts(masked, pair.masked.rows);
  bars.categories = frequent_categories(
      compared ? category_counts(original, pair.original.rows) : std::vector<double>(after.size()),
      after, kCategories, least);
  return bars;
}

const char* edge_text(Oid type, double number) {
  if (std::isnan(number)) return "-";
  if (type == DATEOID || type == TIMESTAMPOID || type == TIMESTAMPTZOID)
    return output_of(type, number_datum(type, -1, std::floor(number)));
  return psprintf("%.6g", number);
}

void write_distribution(const Html& html, const PairColumn& column, const ColumnBars& bars,
                        const PairData& cells, bool compared, bool named) {
  if (bars.numeric)
    write_numbers(html, column, bars);
  else
    write_categories(html, column, bars, cells, compared, named);
}

}  // namespace anonkit::pg
