#include "partitioner.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"
#include "method/blocks/blocks.hpp"
#include "method/natural_supersets.hpp"
#include "method/nested_sizes.hpp"
#include "method/repair/merging.hpp"
#include "method/repair/published_classes.hpp"
#include "method/repair/risk_merging.hpp"
#include "metric/lower_bound.hpp"
#include "promise/promised.hpp"
#include "table/canonical_order.hpp"

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

/// One class of all records may break a promise about the distribution in a larger table, so a
/// method may return classes that break it. This suppresses them.
void leave_out(const Problem& problem, Partition& partition) {
  const Constraints constraints = constraints_of(problem);
  const Members members = members_of(partition);
  for (const RecordSpan records : members) {
    if (all_allow(constraints, records)) continue;
    for (const Record record : records) partition.class_of[at(record)] = kNone;
  }
  number_by_first_record(partition);
}

/// Classes of a stratum, or one class, which keeps the promises where they do not.
void keep_in_one(const Problem& problem, Partition& partition, Ticker& ticker) {
  const Constraints constraints = constraints_of(problem);
  if (all_allow(constraints, partition, ticker)) return;
  partition = {std::vector<ClassId>(partition.class_of.size(), 0), 1};
  if (!all_allow(constraints, partition, ticker))
    throw Error(ErrorKind::infeasible, "no classes of a null stratum keep the promises",
                "Not even one class of all records does.", "Promise less.");
}

/// The method's classes, improved by the search that the options demand.
Classification form_and_search(const Method& method, const Problem& problem, Ticker& ticker) {
  Classification formed = method.form(problem, ticker);
  if (formed.masked.has_value() || problem.options.refine == Effort::none) return formed;
  Classification searched = search_on(problem, formed.partition, problem.options.refine, ticker);
  searched.reproducible = searched.reproducible && formed.reproducible;
  searched.exact = formed.exact;
  return searched;
}

/// The effort of the search for less loss, the method's own or the one that the options demand;
/// none if there is neither.
Effort effort_of(const Method& method, const Options& options) {
  if (options.refine != Effort::none) return options.refine;
  if (is_best(options)) return Effort::thorough;
  return method.searches ? options.effort : Effort::none;
}

}  // namespace

std::vector<std::size_t> in_order(const std::vector<std::size_t>& all, const Stratum& stratum) {
  std::vector<std::size_t> columns;
  for (const std::size_t j : all)
    if (std::find(stratum.columns.begin(), stratum.columns.end(), j) != stratum.columns.end())
      columns.push_back(j);
  return columns;
}

Partitioner::Partitioner(const PartitionInput& input, Anonymized& result, Ticker& ticker)
    : input_(input),
      table_(input.table),
      options_(input.options),
      clock_(clock_of(input.options.refine_seconds)),
      result_(result),
      ticker_(ticker) {
  if (options_.lower_bound) result.lower_bound = 0;
}

Classification Partitioner::form(const Stratum& stratum) {
  if (stratum.columns.empty()) return {{std::vector<ClassId>(stratum.rows.size(), 0), 1}};
  if (options_.unit_rows_together) return form_together(stratum);
  Classification formed;
  solve(stratum, [&](const Problem& problem) {
    formed = options_.promises.n > 0            ? form_parts(problem)
             : input_.unseen_options != nullptr ? form_adapted(problem, stratum)
                                                : form_divided(problem);
    if (input_.stratified)
      keep_in_one(problem, formed.partition, ticker_);
    else if (input_.table_counts != nullptr)
      leave_out(problem, formed.partition);
  });
  return formed;
}

void Partitioner::solve(const Stratum& stratum, const std::function<void(const Problem&)>& use) {
  pose(stratum, [&](const Problem& problem) {
    if (options_.lower_bound) add_bound(problem);
    ticker_.begin("forming classes", problem.space.size());
    use(problem);
  });
}

void Partitioner::pose(const Stratum& records, const std::function<void(const Problem&)>& use) {
  const Space space =
      space_of(table_, records.rows, records.columns, input_.scales, ticker_, options_.threads);
  const std::vector<SensitiveAttribute> sensitive = sensitive_of(records);
  use(Problem{table_, records.rows, records.columns, space, sensitive, options_, clock_,
              space.size(), units_of(records), options_.threads});
}

/// Classes in which k persons share each history; records are left out where too few persons have
/// as many.
Classification Partitioner::form_together(const Stratum& stratum) {
  return {share_histories(units_of(stratum), options_, [&](std::vector<SharedCount> counts) {
    const std::vector<Record> kept = number_kept(counts);
    Stratum published{{}, stratum.columns};
    for (const Record i : kept) published.rows.push_back(stratum.rows[at(i)]);
    Partition formed;
    pose(published, [&](const Problem& problem) {
      const auto form = [&](const auto& t, const auto& keep) { return form_persons(t, keep); };
      formed = form_histories(problem, counts, form, ticker_);
      // More persons a number of rows have larger classes.
      if (!are_kept_when_published(problem, formed, ticker_))
        throw Error(ErrorKind::infeasible, "no classes keep the promises to persons", "",
                    "Promise less, or publish fewer rows of each person.");
    });
    return in_places(kept, stratum.rows.size(), std::move(formed));
  })};
}

/// The method's classes of the rows of a table of persons.
Partition Partitioner::form_persons(const PersonTable& persons, const KeepPromises& keep) {
  const Table table = persons.view();
  const std::vector<Scale> scales = persons.scales_of(input_.scales);
  const Options alone = options_of_persons(options_);
  const std::vector<std::size_t> columns = columns_by_name(table);
  const Stratum all{canonical_order(table, alone.seed, ticker_, columns), columns};
  Partitioner partitioner({table, scales, input_.method, alone}, result_, ticker_);
  Partition formed;
  partitioner.solve(all, [&](const Problem& problem) {
    formed = keep(problem, partitioner.form_classes(problem).partition);
  });
  return in_places(all.rows, all.rows.size(), std::move(formed));
}

std::vector<std::int32_t> Partitioner::units_of(const Stratum& records) const {
  std::vector<std::int32_t> units;
  if (table_.units == nullptr) return units;
  for (const Record row : records.rows) units.push_back(table_.units[row]);
  return units;
}

/// Each stratum gets its records' share of the time.
void Partitioner::add_bound(const Problem& problem) {
  BoundOptions how;
  how.threads = options_.threads;
  how.clock = clock_of(options_.lower_bound_seconds * problem.space.size() / table_.rows);
  const LowerBound bound =
      sse_lower_bound(problem.space, constraints_of_bound(problem), how, ticker_);
  result_.lower_bound += bound.value;
  result_.lower_bound_reproducible = result_.lower_bound_reproducible && bound.reproducible;
}

/// The conditions on classes for their lower bound. Promises to persons, or to attackers with
/// knowledge of aggregates, imply none beside k. Distances to the table's distribution do not
/// concern a part of it.
ImpliedConstraints Partitioner::constraints_of_bound(const Problem& problem) const {
  if (!problem.units.empty() || problem.is_part() || input_.method.of_aggregates)
    return {options_.k};
  Promises promises = options_.promises;
  if (problem.space.size() < table_.rows) promises = promises.without_t();
  return implied_constraints(options_.k, problem.sensitive, promises);
}

/// The method's classes of all records, or of blocks of them.
Classification Partitioner::form_divided(const Problem& problem) {
  const auto form = [&](const Problem& part, Ticker& ticker) {
    return form_and_search(input_.method, part, ticker);
  };
  const BlockDivision division = division_of(problem, input_.method, ticker_);
  if (division.block_size == 0) return form_classes(problem);
  const auto form_all = [&](const Problem& all) {
    return form_in_blocks(all, division, form, ticker_);
  };
  return checked(problem, form_within_risk(problem, form_all, ticker_));
}

Classification Partitioner::form_classes(const Problem& problem) {
  const auto form = [&](const Problem& all) {
    return form_within_risk(
        all, [&](const Problem& one) { return form_and_search(input_.method, one, ticker_); },
        ticker_);
  };
  const Effort effort = effort_of(input_.method, options_);
  return checked(problem, effort == Effort::none ? form(problem)
                                                 : form_nested(problem, effort, form, ticker_));
}

/// Notes how the classes were formed, and repairs those that rounding would break.
Classification Partitioner::checked(const Problem& problem, Classification formed) {
  result_.reproducible = result_.reproducible && formed.reproducible;
  result_.exact = result_.exact && formed.exact;
  if (formed.masked.has_value()) return formed;
  formed.partition = keep_when_published(problem, std::move(formed.partition), ticker_);
  return formed;
}

/// For (n,t)-closeness classes need only be close to the distribution of many records. The parts
/// follow the leading quasi-identifiers, and each is solved like a table of its own.
Classification Partitioner::form_parts(const Problem& whole) {
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
Classification Partitioner::form_adapted(const Problem& whole, const Stratum& records) {
  const Options& asked = *input_.unseen_options;
  const auto attributes = sensitive_attributes(*input_.unseen_table, records.rows, asked.promises);
  const auto form = [&](const std::vector<Record>& set, Record k) {
    return form_in_set(set, k, records, whole.space.size());
  };
  return {adapted_classes(whole.space, attributes, asked.promises, asked.k,
                          asked.transparency.adapt, form, ticker_)};
}

Partition Partitioner::form_in_set(const std::vector<Record>& set, Record k, const Stratum& records,
                                   Record table_records) {
  Partition formed;
  Stratum own{{}, records.columns};
  for (const Record i : set) own.rows.push_back(records.rows[at(i)]);
  Options options = options_;
  options.k = k;
  pose(own, [&](const Problem& problem) {
    formed = form_classes({problem.table, problem.rows, problem.columns, problem.space,
                           problem.sensitive, options, problem.clock, table_records, problem.units})
                 .partition;
  });
  return formed;
}

/// The sensitive attributes of the promises, in the order of the records.
std::vector<SensitiveAttribute> Partitioner::sensitive_of(const Stratum& records) const {
  std::vector<SensitiveAttribute> sensitive =
      sensitive_attributes(table_, records.rows, options_.promises);
  for (std::size_t a = 0; input_.table_counts != nullptr && a < sensitive.size(); ++a)
    sensitive[a].table_counts = (*input_.table_counts)[a];
  return sensitive;
}

}  // namespace anonkit
