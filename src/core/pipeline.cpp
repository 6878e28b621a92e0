#include "pipeline.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <numeric>

#include "base/at.hpp"
#include "base/error.hpp"
#include "constraint/promised.hpp"
#include "input_checks.hpp"
#include "method/full_domain_method.hpp"
#include "method/histories.hpp"
#include "method/natural_supersets.hpp"
#include "method/repair/published_classes.hpp"
#include "metric/information_loss.hpp"
#include "metric/lower_bound.hpp"
#include "metric/ncp.hpp"
#include "metric/prec.hpp"
#include "table/canonical_order.hpp"
#include "table/nulls/strata.hpp"
#include "transparent/descent.hpp"
#include "transparent/withholding.hpp"

namespace anonkit {
namespace {

/// The elapsed share of `seconds` from now on; empty if time is unlimited.
std::function<double()> clock_of(double seconds) {
  if (seconds <= 0) return {};
  const auto start = std::chrono::steady_clock::now();
  return [start, seconds] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() /
           seconds;
  };
}

/// The columns of a stratum, in the order of all columns.
std::vector<std::size_t> in_order(const std::vector<std::size_t>& all, const Stratum& stratum) {
  std::vector<std::size_t> columns;
  for (const std::size_t j : all)
    if (std::find(stratum.columns.begin(), stratum.columns.end(), j) != stratum.columns.end())
      columns.push_back(j);
  return columns;
}

/// A problem whose sensitive columns are in the order of their names, each with its t: nothing
/// depends on the order in which they are listed.
struct ByName {
  Table table;
  Options options;
  std::vector<double> t_each;
  Whole whole;

  ByName(const Table& given, const Options& asked, const Whole* larger)
      : table(given), options(asked) {
    const std::vector<SensitiveColumn>& columns = given.sensitive;
    std::vector<std::size_t> order(columns.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return columns[a].name < columns[b].name;
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
      table.sensitive[i] = columns[order[i]];
      if (larger != nullptr) whole.push_back((*larger)[order[i]]);
      if (asked.promises.t_each != nullptr) t_each.push_back(asked.promises.t_each[order[i]]);
    }
    if (asked.promises.t_each != nullptr) options.promises.t_each = t_each.data();
  }
  ByName(const ByName&) = delete;
  ByName& operator=(const ByName&) = delete;
};

/// Partitions one stratum after the other into a single result.
class Partitioner {
 public:
  Partitioner(const Table& table, const std::vector<Scale>& scales, const Method& method,
              const Options& options, Anonymized& result, Ticker& ticker, const Whole* whole,
              const ByName* adapted_to = nullptr)
      : table_(table),
        scales_(scales),
        method_(method),
        options_(options),
        clock_(clock_of(options.refine_seconds)),
        result_(result),
        ticker_(ticker),
        whole_(whole),
        adapted_to_(adapted_to) {
    if (options.lower_bound) result.lower_bound = 0;
  }

  Classification form(const Stratum& stratum) {
    if (stratum.columns.empty()) return {{std::vector<ClassId>(stratum.rows.size(), 0), 1}};
    if (options_.unit_rows_together) return form_together(stratum);
    Classification formed;
    solve(stratum, [&](const Problem& problem) {
      formed = options_.promises.n > 0  ? form_parts(problem)
               : adapted_to_ != nullptr ? form_adapted(problem, stratum)
                                        : form_classes(problem);
      if (whole_ != nullptr) leave_out(problem, formed.partition);
    });
    return formed;
  }

  /// Calls `use` with the stratum's problem.
  template <class Use>
  void solve(const Stratum& stratum, Use use) {
    pose(stratum, [&](const Problem& problem) {
      if (options_.lower_bound) add_bound(problem.space);
      ticker_.begin("forming classes", problem.space.size());
      use(problem);
    });
  }

 private:
  template <class Use>
  void pose(const Stratum& records, Use use) {
    const Space space = space_of(table_, records.rows, records.columns, scales_, ticker_);
    const std::vector<SensitiveAttribute> sensitive = sensitive_of(records);
    use(Problem{table_, records.rows, records.columns, space, sensitive, options_, clock_,
                space.size(), units_of(records)});
  }

  /// Classes in which k persons share each history; records are left out where too few persons have
  /// as many.
  Classification form_together(const Stratum& stratum) {
    return {share_histories(units_of(stratum), options_, [&](std::vector<SharedCount> counts) {
      const std::vector<Record> kept = number_kept(counts);
      Stratum published{{}, stratum.columns};
      for (const Record i : kept) published.rows.push_back(stratum.rows[at(i)]);
      Partition formed;
      pose(published, [&](const Problem& problem) {
        const auto form = [&](const auto& t, const auto& keep) { return form_persons(t, keep); };
        formed = form_histories(problem, counts, form, ticker_);
      });
      return in_places(kept, stratum.rows.size(), std::move(formed));
    })};
  }

  /// The method's classes of the rows of a table of persons.
  Partition form_persons(const PersonTable& persons, const KeepPromises& keep) {
    const Table table = persons.view();
    const std::vector<Scale> scales = persons.scales_of(scales_);
    const Options alone = options_of_persons(options_);
    const std::vector<std::size_t> columns = columns_by_name(table);
    const Stratum all{canonical_order(table, alone.seed, ticker_, columns), columns};
    Partitioner partitioner(table, scales, method_, alone, result_, ticker_, nullptr);
    Partition formed;
    partitioner.solve(all, [&](const Problem& problem) {
      formed = keep(problem, partitioner.form_classes(problem).partition);
    });
    return in_places(all.rows, all.rows.size(), std::move(formed));
  }

  std::vector<std::int32_t> units_of(const Stratum& records) const {
    std::vector<std::int32_t> units;
    if (table_.units == nullptr) return units;
    for (const Record row : records.rows) units.push_back(table_.units[row]);
    return units;
  }

  /// Each stratum gets its records' share of the time.
  void add_bound(const Space& space) {
    BoundOptions how;
    how.clock = clock_of(options_.lower_bound_seconds * space.size() / table_.rows);
    const LowerBound bound = sse_lower_bound(space, options_.k, how, ticker_);
    result_.lower_bound += bound.value;
    result_.lower_bound_reproducible = result_.lower_bound_reproducible && bound.reproducible;
  }

  /// One class of all records may break a promise about the distribution in a larger table, so a
  /// method may return classes that break it. This suppresses them.
  static void leave_out(const Problem& problem, Partition& partition) {
    const Constraints constraints = constraints_of(problem);
    const Members members = members_of(partition);
    for (std::size_t c = 0; c + 1 < members.begin.size(); ++c) {
      const RecordSpan records(members.records.data() + members.begin[c],
                               members.begin[c + 1] - members.begin[c]);
      if (all_allow(constraints, records)) continue;
      for (const Record record : records) partition.class_of[at(record)] = kNone;
    }
    number_by_first_record(partition);
    const auto last = std::max_element(partition.class_of.begin(), partition.class_of.end());
    partition.classes = last == partition.class_of.end() ? 0 : *last + 1;
  }

  Classification form_classes(const Problem& problem) {
    Classification formed = method_.form(problem, ticker_);
    result_.reproducible = result_.reproducible && formed.reproducible;
    result_.exact = result_.exact && formed.exact;
    if (formed.masked.has_value()) return formed;
    if (options_.refine != Effort::none) {
      formed = search_on(problem, formed.partition, options_.refine, ticker_);
      result_.reproducible = result_.reproducible && formed.reproducible;
    }
    // The other models hold for classes united by rounding, unless they count persons, who may be
    // in both.
    if (options_.promises.kpqr() || (options_.counts_units && options_.promises.any()))
      formed.partition = keep_when_published(problem, std::move(formed.partition), ticker_);
    return formed;
  }

  /// For (n,t)-closeness classes need only be close to the distribution of many records. The parts
  /// follow the leading quasi-identifiers, and each is solved like a table of its own.
  Classification form_parts(const Problem& whole) {
    const std::vector<Record> by_name =
        canonical_order(table_, options_.seed, ticker_, columns_by_name(table_));
    std::vector<Record> place_of_row(at(table_.rows));
    for (std::size_t i = 0; i < by_name.size(); ++i)
      place_of_row[at(by_name[i])] = static_cast<Record>(i);
    return form_within_supersets(
        whole,
        [&](const RecordRange& part, const std::function<double()>& clock) {
          std::vector<Record> order(at(part.size()));
          std::iota(order.begin(), order.end(), part.begin);
          std::sort(order.begin(), order.end(), [&](Record a, Record b) {
            return place_of_row[at(whole.rows[at(a)])] < place_of_row[at(whole.rows[at(b)])];
          });
          Stratum records{{}, whole.columns};
          records.columns = in_order(columns_by_name(table_), records);
          for (const Record i : order) records.rows.push_back(whole.rows[at(i)]);
          Classification formed;
          pose(records, [&](Problem problem) {
            problem.clock = clock;
            problem.table_records = whole.space.size();
            formed = form_classes(problem);
          });
          const std::vector<ClassId> class_of = formed.partition.class_of;
          for (std::size_t i = 0; i < order.size(); ++i)
            formed.partition.class_of[at(order[i] - part.begin)] = class_of[i];
          number_by_first_record(formed.partition);
          return formed;
        },
        ticker_);
  }

  /// Classes within sets that are large enough for promises on values to be likely. The method sees
  /// a set as if it were a table, with the set's k.
  Classification form_adapted(const Problem& whole, const Stratum& records) {
    const Options& asked = adapted_to_->options;
    const auto attributes = sensitive_attributes(adapted_to_->table, records.rows, asked.promises);
    Classification all;
    all.partition.class_of.resize(records.rows.size());
    for (const AdaptedSet& set : adapted_sets(whole.space, attributes, asked.promises, asked.k,
                                              asked.transparency.adapt, ticker_)) {
      Partition formed = form_in_set(set, records, whole.space.size());
      for (std::size_t i = 0; i < set.records.size(); ++i)
        all.partition.class_of[at(set.records[i])] = all.partition.classes + formed.class_of[i];
      all.partition.classes += formed.classes;
    }
    number_by_first_record(all.partition);
    return all;
  }

  Partition form_in_set(const AdaptedSet& set, const Stratum& records, Record table_records) {
    const auto size = static_cast<Record>(set.records.size());
    Partition formed{std::vector<ClassId>(set.records.size(), 0), 1};
    if (size / 2 < set.k) return formed;
    Stratum own{{}, records.columns};
    for (const Record i : set.records) own.rows.push_back(records.rows[at(i)]);
    Options options = options_;
    options.k = set.k;
    pose(own, [&](const Problem& problem) {
      formed =
          form_classes({problem.table, problem.rows, problem.columns, problem.space,
                        problem.sensitive, options, problem.clock, table_records, problem.units})
              .partition;
    });
    return formed;
  }

  /// The sensitive attributes of the promises, in the order of the records.
  std::vector<SensitiveAttribute> sensitive_of(const Stratum& records) const {
    std::vector<SensitiveAttribute> sensitive =
        sensitive_attributes(table_, records.rows, options_.promises);
    for (std::size_t a = 0; whole_ != nullptr && a < sensitive.size(); ++a)
      sensitive[a].whole = (*whole_)[a];
    return sensitive;
  }

  const Table& table_;
  const std::vector<Scale>& scales_;
  const Method& method_;
  const Options& options_;
  const std::function<double()> clock_;
  Anonymized& result_;
  Ticker& ticker_;
  const Whole* whole_;
  const ByName* adapted_to_;  ///< what sets of a transparent release are cut by, or null
};

/// True if the result may depend on the order in which the quasi-identifiers are listed:
/// (n,t)-closeness uses it, and methods that recode write cells in it.
bool reads_order_of_columns(const Method& method, const Options& options) {
  return options.promises.n > 0 || method.of_aggregates || method.recode == Recode::hierarchy;
}

/// Orders the records and computes the scales of the columns.
std::vector<Scale> prepare(const Table& table, const Method& method, const Options& options,
                           Anonymized& result, Ticker& ticker) {
  check_size(table, options);
  ticker.begin("ordering records", table.rows);
  // Scales sum over columns in the order of names, too.
  std::vector<Record> by_name =
      canonical_order(table, options.seed, ticker, columns_by_name(table));
  std::vector<Scale> scales(table.columns.size());
  if (options.scales == nullptr)
    scales = scales_of(table, by_name, options.standardize, ticker);
  else
    for (std::size_t j = 0; j < scales.size(); ++j)
      if (table.columns[j].attribute.kind == Kind::numeric) scales[j] = {0, options.scales[j]};
  result.order = reads_order_of_columns(method, options)
                     ? canonical_order(table, options.seed, ticker)
                     : std::move(by_name);
  return scales;
}

std::vector<Stratum> checked_strata(const Table& table, const std::vector<Scale>& scales,
                                    const Options& options, const Anonymized& result,
                                    Ticker& ticker) {
  std::vector<Stratum> strata = strata_of(table, result.order, scales, options, ticker);
  if (strata.size() > 1 && table.units != nullptr)
    throw Error(ErrorKind::invalid_parameter, "null strata cannot be combined with a unit",
                "A stratum of k records may be of fewer persons.",
                "Anonymize a view without the records whose quasi-identifiers are null.");
  return strata;
}

/// Takes the cells of a method that recodes, which sees all records at once.
void take_cells(const Stratum& stratum, Classification&& formed, Anonymized& result) {
  if (stratum.rows.size() != result.order.size())
    throw Error(ErrorKind::invalid_parameter,
                "a method that recodes records itself cannot be combined with null strata");
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
  if (left_out != nullptr) take_out(*left_out, strata.front().rows);
  if (!reads_order_of_columns(method, options))
    for (Stratum& stratum : strata) stratum.columns = in_order(columns_by_name(table), stratum);
  std::vector<ClassId> class_of_row(result.order.size(), kNone);
  ClassId classes = 0;
  for (const Stratum& stratum : strata) {
    Classification formed = partitioner.form(stratum);
    for (std::size_t i = 0; i < stratum.rows.size(); ++i) {
      const ClassId c = formed.partition.class_of[i];
      class_of_row[at(stratum.rows[i])] = c == kNone ? c : classes + c;
    }
    classes += formed.partition.classes;
    if (formed.masked.has_value()) take_cells(stratum, std::move(formed), result);
  }
  result.partition.classes = classes;
  for (const Record row : result.order) result.partition.class_of.push_back(class_of_row[at(row)]);
  number_by_first_record(result.partition);
}

/// Converts canonical indices to rows as they were read.
void to_rows(const std::vector<Record>& order, Partition& partition, Members& members) {
  for (Record& record : members.records) record = order[at(record)];
  std::vector<ClassId> class_of(partition.class_of.size());
  for (std::size_t i = 0; i < order.size(); ++i) class_of[at(order[i])] = partition.class_of[i];
  partition.class_of = std::move(class_of);
}

/// The rows of each class in canonical order, given classes of rows.
Members members_in(const std::vector<Record>& order, const Partition& partition) {
  Partition canonical;
  canonical.classes = partition.classes;
  for (const Record row : order) canonical.class_of.push_back(partition.class_of[at(row)]);
  Members members = members_of(canonical);
  for (Record& record : members.records) record = order[at(record)];
  return members;
}

/// Masks the classes, unless the method did, and measures the loss.
void mask(const Table& table, const Options& options, const std::vector<Scale>& scales,
          Anonymized& result, Ticker& ticker) {
  ticker.begin("masking", table.rows);
  if (!result.classes_published) return;
  const bool own_cells = !result.cells_of.empty();
  const auto measure = [&](const Masked& centroids) {
    result.loss = centroid_loss(table, result.members, centroids, result.order, scales, ticker);
  };
  if (!own_cells) {
    result.masked = published_cells(table, result.members, options.recode, ticker);
    join_equal_rows(result.masked, result.partition);
    result.members = members_in(result.order, result.partition);
  }
  if (!own_cells && options.recode == Recode::centroid)
    measure(result.masked);
  else
    measure(recode(table, result.members, Recode::centroid, ticker));
  if (own_cells && !result.masked.levels.empty())
    result.il =
        information_loss_of_levels(table, result.members, result.masked.levels, ticker).mean;
  if (own_cells) return;
  if (options.recode != Recode::centroid)
    result.il = information_loss(table, result.members, ticker).mean;
  result.suppressed_cells = count_suppressed_cells(table, result.members, result.masked);
}

}  // namespace

Anonymized anonymize(const Table& given, const Method& method, const Options& asked, Ticker& ticker,
                     const Whole* whole, const std::vector<Record>* left_out) {
  const ByName by_name(given, asked, whole);
  const SeenByMethod seen(by_name.table, by_name.options);
  const Table& table = seen.table;
  const Options& options = seen.options;
  Anonymized result;
  const std::vector<Scale> scales = prepare(table, method, options, result, ticker);
  std::vector<Stratum> strata = checked_strata(table, scales, options, result, ticker);
  check_sensitive(by_name.table, strata, by_name.options);
  Partitioner partitioner(
      table, scales, method, options, result, ticker, whole != nullptr ? &by_name.whole : nullptr,
      asked.transparency.adapt > 0 && asked.promises.any() ? &by_name : nullptr);
  form_all(table, method, options, std::move(strata), partitioner, left_out, result);
  result.members = members_of(result.partition);
  if (result.members.records.empty())
    throw Error(ErrorKind::infeasible, "no record can be published under these demands", "",
                "Lower them, or give hierarchies with more levels.");
  result.suppressed = table.rows - static_cast<std::int64_t>(result.members.records.size());
  // Suppressed records have no loss, so the bound does not apply to the others.
  if (result.suppressed > 0) result.lower_bound = kNull;
  to_rows(result.order, result.partition, result.members);
  mask(table, options, scales, result, ticker);
  if (options.transparency.wanted) {
    require_undivided(table, result.order, result.partition);
    result.withheld =
        withheld_classes(by_name.table, result.members, result.masked, by_name.options, ticker);
  }
  result.scales = scales;
  result.ncp = mean_ncp(table, result.cells(), result.masked, ticker);
  result.prec = mean_prec(table, result.cells(), result.masked, ticker);
  return result;
}

std::vector<NodeFigures> lattice_of(const Table& table, const Method& method,
                                    const Options& options, bool minimal_only, Ticker& ticker) {
  Anonymized result;
  const std::vector<Scale> scales = prepare(table, method, options, result, ticker);
  const std::vector<Stratum> strata = checked_strata(table, scales, options, result, ticker);
  check_sensitive(table, strata, options);
  std::vector<NodeFigures> nodes;
  Partitioner partitioner(table, scales, method, options, result, ticker, nullptr);
  partitioner.solve(strata.front(), [&](const Problem& problem) {
    nodes = list_generalisations(problem, minimal_only, ticker);
  });
  return nodes;
}

}  // namespace anonkit
