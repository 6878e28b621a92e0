#include "linked_pipeline.hpp"

#include <utility>

#include "metric/ncp.hpp"

namespace anonkit {
namespace {

/// Means in place of ranges, rounded to the column's type.
void mask_by_means(const Table& table, const std::vector<std::size_t>& columns,
                   Anonymized& result) {
  const std::size_t d = table.columns.size();
  for (const std::size_t j : columns)
    for (std::size_t c = 0; c < static_cast<std::size_t>(result.partition.classes); ++c) {
      double& low = result.masked.low[c * d + j];
      if (!is_null(low))
        low = round_to(table.columns[j].rounding, centroid_cell(table, result.members, c, j));
      result.masked.high[c * d + j] = low;
    }
}

/// The rows of absent persons, who are those of the first table.
std::int64_t absent_rows(const LinkedTables& set, const LinkedTable& linked, Ticker& ticker) {
  if (set.absent.empty()) return 0;
  std::int64_t rows = 0;
  for (std::int32_t row = 0; row < linked.table->rows; ++row) {
    ticker.step(1);
    if (!set.is_present(linked.person == nullptr ? row : linked.person[row])) ++rows;
  }
  return rows;
}

Anonymized masked_table(const LinkedTables& set, const LinkedTable& linked, Partition partition,
                        int threads, Ticker& ticker) {
  const Table& table = *linked.table;
  const std::int64_t absent = absent_rows(set, linked, ticker);
  Anonymized result;
  result.partition = std::move(partition);
  result.members = members_of(result.partition);
  result.suppressed =
      table.rows - absent - static_cast<std::int64_t>(result.members.records.size());
  if (table.columns.empty() || table.rows == absent) return result;
  result.masked = published_cells(table, result.members, Recode::hierarchy, ticker, threads);
  // Without any class there are no cells to measure, and each one is lost.
  result.ncp = result.partition.classes == 0
                   ? 1
                   : mean_ncp(table, result.partition.class_of, result.masked, ticker, absent);
  mask_by_means(table, linked.means, result);
  return result;
}

}  // namespace

std::vector<Anonymized> anonymize_linked(const LinkedTables& linked, const LinkedPromises& promises,
                                         int threads, Ticker& ticker) {
  LinkedClasses classes = linked_classes(linked, promises, threads, ticker);
  ticker.begin("masking", 0);
  std::vector<Anonymized> release;
  for (std::size_t t = 0; t < linked.tables.size(); ++t)
    release.push_back(
        masked_table(linked, linked.tables[t], std::move(classes[t]), threads, ticker));
  return release;
}

}  // namespace anonkit
