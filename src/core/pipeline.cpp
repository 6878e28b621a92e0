#include "pipeline.hpp"

#include <algorithm>
#include <numeric>

#include "base/at.hpp"
#include "base/error.hpp"
#include "base/keyed_random.hpp"
#include "base/threads.hpp"
#include "input_checks.hpp"
#include "kept_strata.hpp"
#include "method/blocks/blocks.hpp"
#include "method/full_domain_method.hpp"
#include "metric/information_loss.hpp"
#include "metric/ncp.hpp"
#include "metric/prec.hpp"
#include "partitioner.hpp"
#include "recode/grid_ruler.hpp"
#include "recode/recoding.hpp"
#include "recode/swapping.hpp"
#include "table/canonical_order.hpp"
#include "table/nulls/strata.hpp"
#include "table/ordered_table.hpp"
#include "transparent/withholding.hpp"

namespace anonkit {
namespace {

/// A problem whose sensitive columns are in the order of their names, each with its t. So nothing
/// depends on the order in which users list them.
struct ByName {
  Table table;
  Options options;
  std::vector<double> t_each;
  TableCounts table_counts;

  ByName(const Table& given, const Options& asked, const TableCounts* larger)
      : table(given), options(asked) {
    const std::vector<SensitiveColumn>& columns = given.sensitive;
    std::vector<std::size_t> order(columns.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return columns[a].name < columns[b].name;
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
      table.sensitive[i] = columns[order[i]];
      if (larger != nullptr) table_counts.push_back((*larger)[order[i]]);
      if (asked.promises.t_each != nullptr) t_each.push_back(asked.promises.t_each[order[i]]);
    }
    if (asked.promises.t_each != nullptr) options.promises.t_each = t_each.data();
  }
  ByName(const ByName&) = delete;
  ByName& operator=(const ByName&) = delete;
};

/// True if the result may depend on the order in which the quasi-identifiers are listed.
/// (n,t)-closeness uses it, and methods that recode write cells in it.
bool reads_order_of_columns(const Method& method, const Options& options) {
  return options.promises.n > 0 || method.of_aggregates || recoding(method.recode).by_hierarchy;
}

/// Orders the records and computes the scales of the columns.
std::vector<Scale> prepare(const Table& table, const Method& method, const Options& options,
                           Anonymized& result, Ticker& ticker) {
  ticker.begin("ordering records", table.rows);
  // Scales sum over columns in the order of names, too.
  std::vector<Record> by_name =
      canonical_order(table, options.seed, ticker, columns_by_name(table), options.threads);
  std::vector<Scale> scales(table.columns.size());
  if (options.scales == nullptr)
    scales = scales_of(table, by_name, options.standardize, ticker, options.threads);
  else
    for (std::size_t j = 0; j < scales.size(); ++j)
      if (table.columns[j].attribute.kind == Kind::numeric) scales[j] = {0, options.scales[j]};
  result.order = reads_order_of_columns(method, options)
                     ? canonical_order(table, options.seed, ticker, {}, options.threads)
                     : std::move(by_name);
  return scales;
}

/// The strata, whose classes keep the promises together with those of all strata.
std::vector<Stratum> checked_strata(const Table& table, const Method& method,
                                    const std::vector<Scale>& scales, const Options& options,
                                    const Anonymized& result, bool has_nulls,
                                    const TableCounts* table_counts, Ticker& ticker) {
  if (!has_nulls) return {whole_stratum(table, result.order)};
  if (!can_stratify(method, options)) refuse_nulls(table, "Select from a view without them.");
  StratumRule rule;
  if (options.nulls == Nulls::stratify) {
    check_stratified(method, options);
    rule = stratum_rule(table, result.order, options, table_counts, ticker);
  }
  return strata_of(table, result.order, scales, options, ticker, rule);
}

/// Takes the cells of a method that recodes, which sees all records at once.
void take_cells(const Stratum& stratum, Classification& formed, Anonymized& result) {
  const std::vector<std::int32_t>& cells =
      formed.cells_of.empty() ? formed.partition.class_of : formed.cells_of;
  result.cells_of.resize(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) result.cells_of[at(stratum.rows[i])] = cells[i];
  result.masked = std::move(*formed.masked);
  result.classes_published = formed.cells_of.empty();
  result.suppressed_cells = formed.suppressed_cells;
}

/// Takes rows out of a stratum; `left_out` is ascending.
void take_out(const std::vector<Record>& left_out, std::vector<Record>& rows) {
  rows.erase(std::remove_if(rows.begin(), rows.end(),
                            [&](Record row) {
                              return std::binary_search(left_out.begin(), left_out.end(), row);
                            }),
             rows.end());
}

/// Joins the results of all strata: classes of canonical indices, and cells of rows if the method
/// recodes.
void form_all(const Table& table, const Method& method, const Options& options,
              std::vector<Stratum> strata, Partitioner& partitioner,
              const std::vector<Record>* left_out, Anonymized& result) {
  for (Stratum& stratum : strata)
    if (left_out != nullptr) take_out(*left_out, stratum.rows);
  if (!reads_order_of_columns(method, options))
    for (Stratum& stratum : strata) stratum.columns = in_order(columns_by_name(table), stratum);
  std::vector<ClassId> class_of_row;
  ClassId classes = 0;
  for (const Stratum& stratum : strata) {
    if (stratum.rows.empty()) continue;
    Classification formed = partitioner.form(stratum);
    if (formed.masked.has_value()) take_cells(stratum, formed, result);
    if (stratum.rows.size() == result.order.size()) {
      result.partition = std::move(formed.partition);
      number_by_first_record(result.partition);
      return;
    }
    class_of_row.resize(result.order.size(), kNone);
    for (std::size_t i = 0; i < stratum.rows.size(); ++i) {
      const ClassId c = formed.partition.class_of[i];
      class_of_row[at(stratum.rows[i])] = c == kNone ? c : classes + c;
    }
    classes += formed.partition.classes;
  }
  result.partition.classes = classes;
  for (const Record row : result.order) result.partition.class_of.push_back(class_of_row[at(row)]);
  number_by_first_record(result.partition);
}

/// Converts canonical indices to rows as they were read.
void to_rows(const std::vector<Record>& order, Anonymized& result, int threads, Ticker& ticker) {
  std::vector<Record>& records = result.members.records;
  run_chunks(records.size(), threads, ticker, [&](std::size_t begin, std::size_t end, Ticker&) {
    for (std::size_t i = begin; i < end; ++i) records[i] = order[at(records[i])];
  });
  std::vector<ClassId> class_of(order.size());
  run_chunks(order.size(), threads, ticker, [&](std::size_t begin, std::size_t end, Ticker&) {
    for (std::size_t i = begin; i < end; ++i) class_of[at(order[i])] = result.partition.class_of[i];
  });
  result.partition.class_of = std::move(class_of);
}

/// Masks the classes of canonical indices, unless the method did, and measures the loss.
void mask(const Table& given, const Options& options, const std::vector<Scale>& scales,
          Anonymized& result, Ticker& ticker) {
  ticker.begin("masking", given.rows);
  if (!result.classes_published) return;
  const OrderedTable ordered(given, result.order, options.threads, ticker);
  const Table& table = ordered.view();
  std::vector<Record> all(result.order.size());
  std::iota(all.begin(), all.end(), 0);
  const bool own_cells = !result.cells_of.empty();
  const auto measure = [&](const Masked& centroids) {
    result.loss =
        centroid_loss(table, result.members, centroids, all, scales, ticker, options.threads);
  };
  if (!own_cells) {
    result.masked = published_cells(table, result.members, options.recode, ticker, options.threads);
    const ClassId formed = result.partition.classes;
    if (!recoding(options.recode).by_record)
      join_equal_rows(result.masked, result.partition, ticker, options.threads);
    if (result.partition.classes < formed) result.members = members_of(result.partition);
    if (const auto adjust = recoding(options.recode).adjust; adjust != nullptr)
      adjust(table, result.members, scales, result.masked, ticker);
  }
  if (!own_cells && recoding(options.recode).keeps_type)
    measure(result.masked);
  else
    measure(recode(table, result.members, Recode::centroid, ticker, options.threads));
  if (own_cells)
    result.il = information_loss_of_cells(table, result.members, result.masked, ticker).mean;
  if (own_cells) return;
  if (!recoding(options.recode).keeps_type)
    result.il = has_outward_ends(table)
                    ? information_loss_of_cells(table, result.members, result.masked, ticker).mean
                    : information_loss(table, result.members, ticker).mean;
  result.suppressed_cells = count_suppressed_cells(table, result.members, result.masked);
}

/// Replaces the cells of classes by those of their records.
void exchange_values(const Table& table, const Options& options, Anonymized& result,
                     Ticker& ticker) {
  ticker.begin("swapping", table.rows);
  // The permutations of records that the order of rows decides would tell of their values.
  require_undivided(table, result.order, result.partition);
  const auto seeded = public_key(options.seed);
  const auto* secret = options.secret != nullptr ? options.secret : seeded.data();
  Swapped swapped =
      swap_records(table, result.members, result.masked, keyed_choices(secret), ticker);
  result.masked = std::move(swapped.cells);
  result.cells_of = std::move(swapped.cells_of);
  result.class_numbers = std::move(swapped.numbers);
  result.classes_published = false;
}

/// Measures the loss of the cells of rows.
void measure_cells(const Table& table, Anonymized& result, Ticker& ticker) {
  result.ncp = mean_ncp(table, result.cells(), result.masked, ticker);
  result.prec = mean_prec(table, result.cells(), result.masked, ticker);
}

}  // namespace

Anonymized anonymize(const Table& given, const Method& method, const Options& asked, Ticker& ticker,
                     const TableCounts* table_counts, const std::vector<Record>* left_out) {
  const ByName by_name(given, asked, table_counts);
  const SeenByMethod seen(by_name.table, by_name.options);
  const Table& table = seen.table;
  const Options& options = seen.options;
  Anonymized result;
  check_size(table, options);
  if (table_counts == nullptr && left_out == nullptr) check_possible(table, options);
  check_widths(table, ticker);
  const std::vector<Scale> scales = prepare(table, method, options, result, ticker);
  check_sensitive(by_name.table, by_name.options);
  check_blocks(method, options);
  TableCounts counts = by_name.table_counts;
  const bool has_nulls = has_null_numbers(table);
  const bool stratified = has_nulls && options.nulls == Nulls::stratify;
  if (stratified && counts.empty()) counts = reference_counts(table, options);
  const TableCounts* const reference = counts.empty() ? nullptr : &counts;
  std::vector<Stratum> strata =
      checked_strata(table, method, scales, options, result, has_nulls, reference, ticker);
  const bool adapted = asked.transparency.adapt > 0 && asked.promises.any();
  Partitioner partitioner(
      {table, scales, method, options, reference, stratified && table_counts == nullptr,
       adapted ? &by_name.table : nullptr, adapted ? &by_name.options : nullptr},
      result, ticker);
  form_all(table, method, options, std::move(strata), partitioner, left_out, result);
  result.members = members_of(result.partition);
  if (result.members.records.empty())
    throw Error(ErrorKind::infeasible, "no record can be published under these promises", "",
                "Lower them, or give hierarchies with more levels.");
  result.suppressed = table.rows - static_cast<std::int64_t>(result.members.records.size());
  // Suppressed records have no loss, so the bound does not apply to the others.
  if (result.suppressed > 0) result.lower_bound = kNull;
  const std::vector<ClassId> formed = adapted ? result.partition.class_of : std::vector<ClassId>();
  mask(table, options, scales, result, ticker);
  const std::vector<bool> united =
      adapted ? united_classes(formed, result.partition) : std::vector<bool>();
  to_rows(result.order, result, options.threads, ticker);
  if (options.transparency.wanted) {
    require_undivided(table, result.order, result.partition);
    result.withheld = withheld_classes(by_name.table, result.members, result.masked, united,
                                       by_name.options, ticker);
  }
  result.scales = scales;
  measure_cells(table, result, ticker);
  if (recoding(options.recode).by_record) exchange_values(by_name.table, options, result, ticker);
  return result;
}

void replace_classes(const Table& table, const Options& options,
                     const std::vector<ClassId>& class_of, Anonymized& result, Ticker& ticker) {
  result.partition = {{}, 1 + *std::max_element(class_of.begin(), class_of.end())};
  for (const Record row : result.order) result.partition.class_of.push_back(class_of[at(row)]);
  number_by_first_record(result.partition);
  result.members = members_of(result.partition);
  result.suppressed = table.rows - static_cast<std::int64_t>(result.members.records.size());
  result.lower_bound = kNull;
  mask(table, options, result.scales, result, ticker);
  to_rows(result.order, result, options.threads, ticker);
  measure_cells(table, result, ticker);
}

std::vector<NodeFigures> lattice_of(const Table& table, const Method& method,
                                    const Options& options, bool minimal_only, Ticker& ticker) {
  Anonymized result;
  check_size(table, options);
  const std::vector<Scale> scales = prepare(table, method, options, result, ticker);
  check_sensitive(table, options);
  const std::vector<Stratum> strata = checked_strata(table, method, scales, options, result,
                                                     has_null_numbers(table), nullptr, ticker);
  std::vector<NodeFigures> nodes;
  Partitioner partitioner({table, scales, method, options}, result, ticker);
  partitioner.solve(strata.front(), [&](const Problem& problem) {
    nodes = list_generalisations(problem, minimal_only, ticker);
  });
  return nodes;
}

}  // namespace anonkit
