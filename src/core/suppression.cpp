#include "suppression.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "base/at.hpp"
#include "base/error.hpp"
#include "metric/costliest_records.hpp"
#include "recode/recoding.hpp"
#include "space/index/spatial_index.hpp"
#include "table/canonical_order.hpp"

namespace anonkit {
namespace {

/// False for three kinds. Full-domain methods suppress during their search, aggregates define no
/// errors of records, and histories leave out surplus records of persons.
bool has_budget(const Method& method, const Options& options) {
  return options.generalisation.max_suppression > 0 && !recoding(method.recode).by_hierarchy &&
         !method.of_aggregates && !options.unit_rows_together;
}

/// The number of records that may be suppressed while k remain.
std::int64_t budget_of(const Table& table, const Options& options) {
  const double share = options.generalisation.max_suppression;
  const auto most = static_cast<std::int64_t>(std::floor(share * static_cast<double>(table.rows)));
  return std::min<std::int64_t>(most, table.rows - options.k);
}

/// By row: the sum of its squared distances to the k - 1 nearest others. A far record raises the
/// error of its entire class, so errors within classes do not identify it.
std::vector<double> hiding_costs(const Table& table, const Options& options, const Anonymized& all,
                                 Ticker& ticker) {
  const Space space = space_of(table, all.order, columns_by_name(table), all.scales, ticker);
  const SpatialIndex index(space, ticker);
  std::vector<double> costs(at(table.rows));
  std::vector<Neighbour> nearest;
  for (const Record i : index.records_by_leaf()) {
    index.nearest(space.row(i), options.k, nearest);
    for (const Neighbour& one : nearest) costs[at(all.order[at(i)])] += one.distance;
  }
  return costs;
}

/// By row: the squared error of its published cells.
std::vector<double> errors_of(const Table& table, const Options& options, const Anonymized& made,
                              Ticker& ticker) {
  const std::vector<ClassId>& class_of = made.partition.class_of;
  if (made.cells_of.empty() && recoding(options.recode).keeps_type)
    return record_errors(table, class_of, made.masked, made.scales, ticker);
  const Masked centroids = recode(table, made.members, Recode::centroid, ticker);
  return record_errors(table, class_of, centroids, made.scales, ticker);
}

/// The error that the others are spared if these are left out. It is summed in canonical order, and
/// so does not depend on the order of the rows.
double spared(const std::vector<double>& before, const std::vector<double>& after,
              const std::vector<Record>& order, const std::vector<Record>& left_out) {
  double sum = 0;
  for (const Record row : order)
    if (!std::binary_search(left_out.begin(), left_out.end(), row))
      sum += before[at(row)] - after[at(row)];
  return sum;
}

/// A table of the remaining records, whose sensitive columns have no other values.
struct Remainder {
  Table table;
  std::vector<std::vector<std::int32_t>> ranks;
  std::vector<std::vector<double>> numbers;

  Remainder(const Table& all, const std::vector<Record>& left_out) : table(all) {
    std::vector<bool> is_left(at(all.rows), true);
    for (const Record row : left_out) is_left[at(row)] = false;
    ranks.resize(all.sensitive.size());
    numbers.resize(all.sensitive.size());
    for (std::size_t a = 0; a < all.sensitive.size(); ++a)
      if (all.sensitive[a].hierarchy == nullptr) recount(a, is_left);
  }
  Remainder(const Remainder&) = delete;
  Remainder& operator=(const Remainder&) = delete;

 private:
  /// Renumbers the values that occur, in their order; null stays last.
  void recount(std::size_t a, const std::vector<bool>& is_left) {
    SensitiveColumn& column = table.sensitive[a];
    std::vector<std::int32_t> new_rank(at(column.distinct), -1);
    for (std::size_t row = 0; row < is_left.size(); ++row)
      if (is_left[row]) new_rank[at(column.ranks[row])] = 0;
    const std::int32_t null_rank = column.nulls > 0 ? column.distinct - 1 : -1;
    std::int32_t next = 0;
    for (std::int32_t rank = 0; rank < column.distinct; ++rank) {
      if (new_rank[at(rank)] < 0) continue;
      new_rank[at(rank)] = next++;
      if (column.numbers != nullptr && rank != null_rank)
        numbers[a].push_back(column.numbers[rank]);
    }
    std::int64_t nulls = 0;
    for (std::size_t row = 0; row < is_left.size(); ++row) {
      nulls += is_left[row] && column.ranks[row] == null_rank ? 1 : 0;
      ranks[a].push_back(is_left[row] ? new_rank[at(column.ranks[row])] : 0);
    }
    column.ranks = ranks[a].data();
    column.distinct = next;
    column.nulls = nulls;
    if (column.numbers != nullptr) column.numbers = numbers[a].data();
  }
};

/// True if k persons remain.
bool enough_units(const Table& table, const Options& options, const std::vector<Record>& left_out) {
  if (table.units == nullptr) return true;
  std::set<std::int32_t> units;
  for (Record row = 0; row < table.rows; ++row)
    if (!std::binary_search(left_out.begin(), left_out.end(), row)) units.insert(table.units[row]);
  return static_cast<std::int64_t>(units.size()) >= options.k;
}

/// Halves the search time, since two runs share it.
Options halved(const Options& options) {
  Options half = options;
  half.refine_seconds /= 2;
  return half;
}

/// An error for null strata: suppressed cells fill them up to k records, so none may be suppressed.
void refuse_null_strata(const Table& table, const Options& options) {
  if (options.nulls != Nulls::stratify) return;
  for (Record row = 0; row < table.rows; ++row)
    for (std::size_t j = 0; j < table.columns.size(); ++j)
      if (table.columns[j].attribute.kind == Kind::numeric && is_null(table.value(row, j)))
        throw Error(ErrorKind::invalid_parameter,
                    "max_suppression cannot be combined with null strata", "",
                    "Anonymize a view without the records whose quasi-identifiers are null.");
}

}  // namespace

Anonymized anonymize_within_budget(const Table& table, const Method& method, const Options& options,
                                   Ticker& ticker, const TableCounts* table_counts) {
  if (!has_budget(method, options)) return anonymize(table, method, options, ticker, table_counts);
  refuse_null_strata(table, options);
  const Options half = halved(options);
  Anonymized all = anonymize(table, method, half, ticker, table_counts);
  all.saved = 0;
  const std::vector<double> errors = errors_of(table, options, all, ticker);
  const std::vector<Record> costliest =
      costliest_records(table, all.order, hiding_costs(table, options, all, ticker),
                        budget_of(table, options), ticker);
  if (costliest.empty() || !enough_units(table, options, costliest)) return all;
  const Remainder rest(table, costliest);
  std::optional<Anonymized> without =
      unless({ErrorKind::infeasible, ErrorKind::invalid_parameter},
             [&] { return anonymize(rest.table, method, half, ticker, table_counts, &costliest); });
  if (!without) return all;
  const double saved =
      spared(errors, errors_of(table, options, *without, ticker), all.order, costliest);
  if (!(saved > 0)) return all;
  without->saved = all.loss.sst > 0 ? saved / all.loss.sst : 0;
  without->reproducible = without->reproducible && all.reproducible;
  return std::move(*without);
}

}  // namespace anonkit
