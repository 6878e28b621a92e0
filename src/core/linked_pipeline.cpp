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

Anonymized masked_table(const LinkedTable& linked, Partition partition, int threads,
                        Ticker& ticker) {
  const Table& table = *linked.table;
  Anonymized result;
  result.partition = std::move(partition);
  result.members = members_of(result.partition);
  result.suppressed = table.rows - static_cast<std::int64_t>(result.members.records.size());
  if (table.columns.empty() || table.rows == 0) return result;
  result.masked = published_cells(table, result.members, Recode::hierarchy, ticker, threads);
  // Without any class there are no cells to measure, and each one is lost.
  result.ncp = result.partition.classes == 0
                   ? 1
                   : mean_ncp(table, result.partition.class_of, result.masked, ticker);
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
    release.push_back(masked_table(linked.tables[t], std::move(classes[t]), threads, ticker));
  return release;
}

}  // namespace anonkit
