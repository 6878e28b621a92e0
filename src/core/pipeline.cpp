#include "pipeline.hpp"

#include <chrono>
#include <functional>

#include "data/canonical_order.hpp"
#include "data/strata.hpp"
#include "error.hpp"
#include "metric/lower_bound.hpp"
#include "search/refine.hpp"

namespace anonkit {
namespace {

void check_size(const Table& table, const Options& options) {
  if (table.rows == 0) throw Error(ErrorKind::invalid_data, "there are no rows to anonymize");
  if (options.k < 1) throw Error(ErrorKind::invalid_parameter, "k must be at least 1");
  if (options.k > table.rows)
    throw Error(ErrorKind::invalid_parameter, "k is larger than the number of rows",
                "k is " + std::to_string(options.k) + ", but there are only " +
                    std::to_string(table.rows) + " rows.",
                "Choose a k of at most the number of rows.");
}

/// The share of the time that a search may take which is gone.
std::function<double()> clock_of(const Options& options) {
  if (options.refine_seconds <= 0) return {};
  const auto start = std::chrono::steady_clock::now();
  return [start, seconds = options.refine_seconds] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() /
           seconds;
  };
}

/// Partitions strata one after the other, into one result.
class Partitioner {
 public:
  Partitioner(const Table& table, const std::vector<Scale>& scales, const Method& method,
              const Options& options, Anonymized& result, Ticker& ticker)
      : table_(table),
        scales_(scales),
        method_(method),
        options_(options),
        clock_(clock_of(options)),
        result_(result),
        ticker_(ticker) {
    if (options.lower_bound) result.lower_bound = 0;
  }

  Partition partition(const Stratum& stratum) {
    if (stratum.columns.empty()) return {std::vector<ClassId>(stratum.rows.size(), 0), 1};
    const Space space = space_of(table_, stratum.rows, stratum.columns, scales_, ticker_);
    if (options_.lower_bound) {
      ticker_.begin("bounding the loss", space.size());
      result_.lower_bound += sse_lower_bound(space, options_.k, ticker_);
    }
    ticker_.begin("forming classes", space.size());
    return search(space, method_.partition(space, options_, ticker_));
  }

 private:
  Partition search(const Space& space, Partition start) {
    const Refine refine_how = options_.refine != Refine::none ? options_.refine : method_.refine;
    if (refine_how == Refine::none) return start;
    ticker_.begin("searching for less loss", 0);
    RefineOptions how;
    how.effort = refine_how == Refine::fast ? Effort::fast : Effort::thorough;
    how.seed = options_.seed;
    how.clock = clock_;
    RefineResult found = refine(space, start, options_.k, {}, how, ticker_);
    result_.reproducible = result_.reproducible && found.reproducible;
    return std::move(found.partition);
  }

  const Table& table_;
  const std::vector<Scale>& scales_;
  const Method& method_;
  const Options& options_;
  const std::function<double()> clock_;
  Anonymized& result_;
  Ticker& ticker_;
};

/// One partition of all canonical indices out of the strata's own.
Partition partition_all(const Table& table, const std::vector<Record>& order,
                        const std::vector<Scale>& scales, const Options& options,
                        Partitioner& partitioner, Ticker& ticker) {
  std::vector<ClassId> class_of_row(order.size());
  ClassId classes = 0;
  for (const Stratum& stratum : strata_of(table, order, scales, options, ticker)) {
    const Partition part = partitioner.partition(stratum);
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
  result.order = canonical_order(table, ticker);
  const std::vector<Scale> scales = scales_of(table, result.order, options.standardize, ticker);
  Partitioner partitioner(table, scales, method, options, result, ticker);
  result.partition = partition_all(table, result.order, scales, options, partitioner, ticker);
  result.members = members_of(result.partition);
  to_rows(result.order, result.partition, result.members);

  ticker.begin("masking", table.rows);
  result.masked = recode(table, result.members, Recode::centroid);
  result.loss = centroid_loss(table, result.members, result.masked, result.order, scales);
  if (options.recode == Recode::centroid)
    round_cells(table, result.masked);
  else
    result.masked = recode(table, result.members, options.recode);
  result.blanked = blanked_cells(table, result.members, result.masked);
  return result;
}

}  // namespace anonkit
