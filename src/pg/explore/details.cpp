#include "pg/explore/details.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/session.hpp"
#include "pg/explore/column_pair.hpp"
#include "pg/report/class_sizes.hpp"
#include "pg/report/column_bars.hpp"
#include "pg/report/statement.hpp"

namespace anonkit::pg {
namespace {

/// Bounds the size of the page.
constexpr int kMostColumns = 16;

void write_statement(const Html& html, Jsonb* spec, Oid source) {
  const char* statement = publishing_statement(JsonbToCString(nullptr, &spec->root, VARSIZE(spec)),
                                               proposed_release_of(source), source);
  html.raw(
          "<h3>Statement</h3>\n<div class=\"statement\"><button type=\"button\" "
          "aria-live=\"polite\" hidden>Copy</button><pre tabindex=\"0\"><code>")
      .text(statement)
      .raw("</code></pre></div>\n");
}

void write_sizes(const Html& html, const Run& run) {
  int64* sizes = allocate<int64>(run.published_classes);
  std::copy_n(run.published_sizes, run.published_classes, sizes);
  html.raw("<h3>Class sizes</h3>\n");
  write_size_chart(html, class_sizes_of(sizes, run.published_classes), run.spec.options.k, 0);
}

ColumnBars bars_of_pair(const PairData& data) {
  BackendTicker ticker;
  ticker.begin("drawing", 0);
  return bars_of(cells_of(data, 0, 1), 0, Shown::on_original_axis, 0, ticker);
}

/// Nulls, and ranges without an end, which are labels of everything.
void write_missing(const Html& html, const ColumnPair& pair) {
  if (!pair.data.columns->numeric || pair.missing[0] + pair.missing[1] == 0) return;
  html.raw("<p>Cells without a number: ")
      .text(share_text(pair.missing[0]))
      .raw(" before masking, ");
  html.text(share_text(pair.missing[1])).raw(" after.</p>\n");
}

void write_column(const Html& html, const Run& run, int j) {
  const ColumnPair pair = column_pair_of(run, j);
  html.raw("<h4>").text(run.source.columns[j].name).raw("</h4>\n");
  write_missing(html, pair);
  if (pair.data.rows[0] == 0 || pair.data.rows[1] == 0) return;
  auto& bars = own_in_context(std::make_unique<ColumnBars>(bars_of_pair(pair.data)));
  write_distribution(html, *pair.data.columns, bars, pair.data, pair.same_values, true);
}

/// The columns' own memory ends with each.
void write_columns(const Html& html, const Run& run) {
  html.raw("<h3>Columns before and after</h3>\n");
  const int shown = std::min(run.source.quasi_identifiers, kMostColumns);
  MemoryContext context =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit column", ALLOCSET_DEFAULT_SIZES);
  for (int j = 0; j < shown; ++j) {
    MemoryContext outer = MemoryContextSwitchTo(context);
    write_column(html, run, j);
    MemoryContextSwitchTo(outer);
    MemoryContextReset(context);
  }
  MemoryContextDelete(context);
  if (shown < run.source.quasi_identifiers)
    html.raw("<p>The page shows the first ").integer(shown).raw(" quasi-identifiers.</p>\n");
}

}  // namespace

void write_details(const Html& html, Jsonb* spec, const Run& run) {
  write_statement(html, spec, run.source.relation);
  write_sizes(html, run);
  write_columns(html, run);
}

}  // namespace anonkit::pg
