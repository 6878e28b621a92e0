#include "pipeline.hpp"

#include "data/canonical_order.hpp"
#include "data/strata.hpp"
#include "error.hpp"

namespace anonkit {
namespace {

void check_size(const Table& table, const Options& options) {
  if (table.rows == 0)
    throw Error(ErrorKind::invalid_data, "there are no rows to anonymize");
  if (options.k < 1)
    throw Error(ErrorKind::invalid_parameter, "k must be at least 1");
  if (options.k > table.rows)
    throw Error(ErrorKind::invalid_parameter, "k is larger than the number of rows",
                "k is " + std::to_string(options.k) + ", but there are only " +
                    std::to_string(table.rows) + " rows.",
                "Choose a k of at most the number of rows.");
}

Partition partition_stratum(const Table& table, const Stratum& stratum,
                            const std::vector<Scale>& scales, const Method& method,
                            const Options& options, Ticker& ticker) {
  if (stratum.columns.empty())
    return {std::vector<ClassId>(stratum.rows.size(), 0), 1};
  const Space space = space_of(table, stratum.rows, stratum.columns, scales);
  return method.partition(space, options, ticker);
}

/// One partition of all canonical indices out of the strata's own.
Partition partition_all(const Table& table, const std::vector<Record>& order,
                        const std::vector<Scale>& scales, const Method& method,
                        const Options& options, Ticker& ticker) {
  std::vector<ClassId> class_of_row(order.size());
  ClassId classes = 0;
  for (const Stratum& stratum : strata_of(table, order, options)) {
    const Partition part = partition_stratum(table, stratum, scales, method, options, ticker);
    for (std::size_t i = 0; i < stratum.rows.size(); ++i)
      class_of_row[static_cast<std::size_t>(stratum.rows[i])] = classes + part.class_of[i];
    classes += part.classes;
  }
  Partition partition;
  partition.classes = classes;
  partition.class_of.reserve(order.size());
  for (const Record row : order)
    partition.class_of.push_back(class_of_row[static_cast<std::size_t>(row)]);
  number_by_first_record(partition);
  return partition;
}

/// From canonical indices to the rows as they were read.
void to_rows(const std::vector<Record>& order, Partition& partition, Members& members) {
  for (Record& record : members.records) record = order[static_cast<std::size_t>(record)];
  std::vector<ClassId> class_of(partition.class_of.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    class_of[static_cast<std::size_t>(order[i])] = partition.class_of[i];
  partition.class_of = std::move(class_of);
}

}  // namespace

Anonymized anonymize(const Table& table, const Method& method, const Options& options,
                     Ticker& ticker) {
  check_size(table, options);
  Anonymized result;
  ticker.begin("ordering records", table.rows);
  result.order = canonical_order(table);
  const std::vector<Scale> scales = scales_of(table, result.order, options.standardize);
  ticker.begin("forming classes", table.rows);
  result.partition = partition_all(table, result.order, scales, method, options, ticker);
  result.members = members_of(result.partition);
  to_rows(result.order, result.partition, result.members);

  ticker.begin("masking", table.rows);
  Masked centroids = recode(table, result.members, Recode::centroid);
  result.loss = published_loss(table, result.members, centroids, result.order, scales);
  result.masked = options.recode == Recode::centroid
                      ? std::move(centroids)
                      : recode(table, result.members, options.recode);
  result.blanked = blanked_cells(table, result.members, result.masked);
  return result;
}

}  // namespace anonkit
