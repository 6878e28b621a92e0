#include "linked_pipeline.hpp"

#include <utility>

#include "metric/ncp.hpp"

namespace anonkit {
namespace {

Anonymized masked_table(const Table& table, Partition partition, int threads, Ticker& ticker) {
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
        masked_table(*linked.tables[t].table, std::move(classes[t]), threads, ticker));
  return release;
}

}  // namespace anonkit
