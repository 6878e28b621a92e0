#include "pipeline.hpp"

#include <chrono>
#include <functional>

#include "data/canonical_order.hpp"
#include "data/strata.hpp"
#include "error.hpp"
#include "metric/lower_bound.hpp"

namespace anonkit {
namespace {

/// What t-closeness asks of the table beside its sensitive columns: their distribution is that of
/// all records, and an ordered attribute has no place for null.
void check_confidential(const Table& table, const std::vector<Stratum>& strata,
                        const Options& options) {
  if (!options.promises.t_close()) return;
  for (const SensitiveColumn& column : table.sensitive)
    if (column.nulls > 0 && column.kind != Kind::nominal)
      throw Error(ErrorKind::invalid_data,
                  "sensitive column \"" + column.name + "\" contains nulls",
                  "Number of nulls: " + std::to_string(column.nulls) + ".",
                  "Leave the records out, or give them a value, in a view.");
  if (strata.size() > 1)
    throw Error(ErrorKind::invalid_parameter, "t-closeness cannot be combined with null strata", "",
                "Anonymize a view without the records whose quasi-identifiers are null.");
}

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
    const std::vector<Confidential> confidential = confidential_of(stratum);
    const Problem problem = {table_, stratum.rows, space, confidential, options_, clock_};
    Formed formed = method_.form(problem, ticker_);
    result_.reproducible = result_.reproducible && formed.reproducible;
    if (options_.refine == Refine::none) return std::move(formed.partition);
    formed = search_on(problem, formed.partition, options_.refine, ticker_);
    result_.reproducible = result_.reproducible && formed.reproducible;
    return std::move(formed.partition);
  }

 private:
  /// The attributes whose distribution is promised, in the order of the stratum's records.
  std::vector<Confidential> confidential_of(const Stratum& stratum) const {
    std::vector<Confidential> confidential;
    if (!options_.promises.t_close()) return confidential;
    for (std::size_t a = 0; a < table_.sensitive.size(); ++a) {
      const SensitiveColumn& column = table_.sensitive[a];
      Confidential one;
      for (const Record row : stratum.rows) one.ranks.push_back(column.ranks[row]);
      one.distance =
          column.kind == Kind::nominal ? GroundDistance::nominal : GroundDistance::ordered;
      one.t = options_.promises.t_of(a);
      confidential.push_back(std::move(one));
    }
    return confidential;
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
  const std::vector<Stratum> strata = strata_of(table, order, scales, options, ticker);
  check_confidential(table, strata, options);
  std::vector<ClassId> class_of_row(order.size());
  ClassId classes = 0;
  for (const Stratum& stratum : strata) {
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
  result.masked = recode(table, result.members, Recode::centroid, ticker);
  result.loss = centroid_loss(table, result.members, result.masked, result.order, scales, ticker);
  if (options.recode == Recode::centroid)
    round_cells(table, result.masked);
  else
    result.masked = recode(table, result.members, options.recode, ticker);
  result.blanked = blanked_cells(table, result.members, result.masked);
  return result;
}

}  // namespace anonkit
