#include "method/constrained.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "method/growing/mdav.hpp"
#include "method/growing/psensitive_microaggregation.hpp"
#include "method/growing/share_mdav.hpp"
#include "method/kpqr.hpp"
#include "method/mondrian/mondrian_method.hpp"
#include "method/pkclustering/form.hpp"
#include "method/repair/completing.hpp"
#include "method/repair/merging.hpp"
#include "method/repair/published_classes.hpp"
#include "method/repair/round_robin.hpp"
#include "method/repair/uniting.hpp"
#include "method/tcloseness/tcloseness.hpp"
#include "metric/sse.hpp"
#include "promise/largest_share.hpp"
#include "promise/rare_values.hpp"
#include "search/loss/sse_loss.hpp"
#include "search/search.hpp"
#include "search/starts.hpp"

namespace anonkit {
namespace {

// Up to this many records round robins are starts, even if the others lose less.
constexpr Record kFewRecords = 5000;
// Above this, and without equal records, a fast search starts from the classes of least loss only.
// Where records are equal, the finest of the others can win.
constexpr Record kManyStarts = 20000;
// A repair that keeps this share of the classes costs so little loss that a fast search gets no
// further from classes whose members are chosen by their values.
constexpr double kIntact = 0.99;

/// The limits of a column's values, in aggregate figures.
std::string capacity_of(const SensitiveAttribute& attribute) {
  std::map<std::int32_t, std::int32_t> counts, lifted;
  for (const std::int32_t rank : attribute.ranks) {
    ++counts[rank];
    if (!attribute.lifted.empty()) ++lifted[attribute.lifted[static_cast<std::size_t>(rank)]];
  }
  std::int32_t most = 0;
  for (const auto& entry : counts) most = std::max(most, entry.second);
  std::string text = "The column has " + std::to_string(counts.size()) + " distinct values";
  if (!lifted.empty())
    text += ", " + std::to_string(lifted.size()) + " if protected ones count as one";
  return text + "; the most frequent one is in " + std::to_string(most) + " of " +
         std::to_string(attribute.ranks.size()) + " records.";
}

/// The attributes without lifted values: l counts distinct values.
std::vector<SensitiveAttribute> as_they_are(std::vector<SensitiveAttribute> attributes) {
  for (SensitiveAttribute& attribute : attributes) attribute.lifted.clear();
  return attributes;
}

/// Distributes the records of rare values over classes of their own, and forms the others by MDAV:
/// the model concerns only classes with rare values.
std::optional<Partition> round_robin_of_rare(const Problem& problem, const Constraints& constraints,
                                             Ticker& ticker) {
  const Promises& promises = problem.options.promises;
  const Record n = problem.space.size();
  std::vector<bool> rare(static_cast<std::size_t>(n));
  for (const SensitiveAttribute& attribute : problem.sensitive) {
    const RareValues model(attribute, promises);
    for (std::size_t i = 0; i < rare.size(); ++i)
      rare[i] = rare[i] || model.rare(attribute.ranks[i]);
  }
  std::vector<Record> bound, others;
  for (Record i = 0; i < n; ++i) (rare[static_cast<std::size_t>(i)] ? bound : others).push_back(i);
  if (bound.empty() || static_cast<Record>(others.size()) < problem.options.k) return {};
  std::optional<Partition> distributed =
      round_robin(round_robin_order(problem.sensitive, bound, RoundRobinBy::value, ticker), n,
                  problem.options.k, constraints, ticker);
  if (!distributed) return {};
  add_classes(*distributed, mdav(problem.space, others, problem.options.k, ticker));
  return distributed;
}

/// Shares of persons are not monotone: even one class of all may violate a promise.
[[noreturn]] void no_classes() {
  throw Error(ErrorKind::infeasible, "no classes of persons were found that keep the promises",
              "Neither MDAV's classes, united, nor a round robin over their values satisfies it.",
              "Promise less, or promise it of rows, without a unit.");
}

/// MDAV within the shares that are promised, in classes of two sizes: the least possible, and the
/// least that lets a value have the most of its share.
std::vector<std::optional<Partition>> within_shares(const Problem& problem, Ticker& ticker) {
  const ValueLimits bounds = limits_of(problem.options.promises);
  Record least = std::max(problem.options.k, bounds.distinct);
  while (least < problem.space.size() && most_alike(bounds.share, least) < 1) ++least;
  Record best = least;
  for (Record size = least; size < 2 * least; ++size)
    if (most_alike(bounds.share, size) * best > most_alike(bounds.share, best) * size) best = size;
  std::vector<std::optional<Partition>> found;
  for (const Record size : {least, best})
    if (found.empty() || size != least)
      found.push_back(share_mdav(problem.space, problem.sensitive, size, bounds, ticker));
  return found;
}

/// Classes of entire points, searched as if nothing were promised: few of them need a repair. Those
/// of many records are not annealed: the search within the promises anneals anyway, and ends within
/// a percent of the same loss.
Partition searched_points(const Problem& problem, const Points& points, Ticker& ticker) {
  const Space weighted = space_of(problem.space, points);
  const Record k = problem.options.k;
  const Partition start = mdav(weighted, k, ticker, stretch_of_start(problem.table_records));
  RefineOptions how = search_options(problem, Effort::fast);
  how.quench = how.every_start;
  return to_records(points, refine(weighted, start, k, {}, how, ticker).partition);
}

class Starts {
 public:
  Starts(const Problem& problem, const Constraints& constraints, bool every, Ticker& ticker)
      : problem_(problem),
        constraints_(constraints),
        every_(every),
        loss_(problem.space),
        ticker_(ticker) {}

  void add(Partition partition) {
    const ClassId formed = partition.classes;
    partition = complete_classes(problem_.space, std::move(partition), problem_.options.k,
                                 alike_in(problem_), constraints_, ticker_);
    partition = unite_until_allowed(problem_.space, std::move(partition), constraints_, ticker_);
    if (has_class_below_k(partition) || !all_allow(constraints_, partition, ticker_)) return;
    intact_ = intact_ || partition.classes >= kIntact * formed;
    if (every_ || starts_.empty()) {
      starts_.push_back(std::move(partition));
    } else if (total_loss(loss_, partition, ticker_) <
               total_loss(loss_, starts_.front(), ticker_)) {
      starts_.front() = std::move(partition);
    }
  }
  void add(std::optional<Partition> partition) {
    if (partition) add(std::move(*partition));
  }

  /// Adds classes of neighbours. If the constraints reject most of them and others will come, they
  /// are left out unless there are no others: their repair would unite most classes.
  void add_neighbouring(Partition partition, bool others) {
    if (others && mostly_rejected(partition))
      left_out_.push_back(std::move(partition));
    else
      add(std::move(partition));
  }

  /// True if a start kept nearly all its classes in the repair.
  bool intact() const { return intact_; }

  /// True if a start loses less than half of what one class of all loses. Round robins of sensitive
  /// values lose nearly as much as that class.
  bool compact() const {
    if (starts_.empty()) return false;
    double least = std::numeric_limits<double>::infinity();
    for (const Partition& start : starts_)
      least = std::min(least, sse(problem_.space, start, &ticker_));
    return least < sst(problem_.space) / 2;
  }

  std::vector<Partition> take() {
    for (std::size_t at = 0; starts_.empty() && at < left_out_.size(); ++at)
      add(std::move(left_out_[at]));
    return std::move(starts_);
  }

 private:
  /// Records that no class may take form one together, be they ever so few.
  bool has_class_below_k(const Partition& partition) const {
    const Members members = members_of(partition);
    return std::any_of(members.begin(), members.end(), [&](const RecordSpan& of_class) {
      return of_class.size() < problem_.options.k;
    });
  }

  bool mostly_rejected(const Partition& partition) const {
    const Members members = members_of(partition);
    ClassId rejected = 0;
    for (const RecordSpan of_class : members) {
      ticker_.step(std::int64_t{50} * of_class.size());
      rejected += !all_allow(constraints_, of_class);
    }
    return 2 * rejected > partition.classes;
  }

  const Problem& problem_;
  const Constraints& constraints_;
  bool every_, intact_ = false;
  SseLoss loss_;
  Ticker& ticker_;
  std::vector<Partition> starts_, left_out_;
};

/// True if p-sensitive microaggregation for p, or for l as p, is a start.
bool psensitive(const Promises& promises) {
  return promises.p > 0 ? !promises.kpqr() : promises.l > 0;
}

/// True if algorithms that choose class members by their values know all promises.
bool by_values(const Promises& promises) {
  return promises.any() && find_made(promises, [](const Promise& promise) {
                             return promise.limits == nullptr && !rows_of_release(promise);
                           }) == nullptr;
}

/// Classes whose members are chosen by their values.
void add_by_values(const Problem& problem, Starts& starts, Ticker& ticker) {
  const Promises& promises = problem.options.promises;
  if (limits_of(promises).share < 1 && problem.units.empty())
    for (std::optional<Partition>& partition : within_shares(problem, ticker))
      starts.add(std::move(partition));
  if (!psensitive(promises)) return;
  const bool p = promises.p > 0;
  starts.add(psensitive_microaggregation(
      problem.space, p ? problem.sensitive : as_they_are(problem.sensitive), problem.options.k,
      p ? promises.p : promises.l, problem.options.seed, ticker));
}

/// The published algorithms for the promises. Only a search that tries every start gets all of
/// them.
void add_published(const Problem& problem, const Constraints& constraints, bool every,
                   Starts& starts, Ticker& ticker) {
  const Space& space = problem.space;
  const std::vector<SensitiveAttribute>& attributes = problem.sensitive;
  const Promises& promises = problem.options.promises;
  const Record k = problem.options.k;
  const bool quadratic = every && problem.table_records <= kQuadratic;
  if (promises.kpqr()) {
    starts.add(round_robin_of_rare(problem, constraints, ticker));
    starts.add(kpqr(space, attributes, k, promises, problem.options.seed, ticker));
  }
  if (promises.p > 0 && !promises.kpqr() && quadratic) {
    starts.add(form_enhanced_pk(problem, ticker).partition);
    starts.add(form_greedy_pk(problem, ticker).partition);
  }
  if (promises.t_close()) {
    using Algorithm = TClosenessAlgorithm;
    TClosenessOptions how;
    how.k = k;
    std::vector<Algorithm> algorithms = {Algorithm::t_first};
    if (every) algorithms.insert(algorithms.end(), {Algorithm::merge, Algorithm::sabre});
    if (quadratic) algorithms.push_back(Algorithm::k_first);
    for (const Algorithm algorithm : algorithms) {
      how.algorithm = algorithm;
      starts.add(tcloseness(space, attributes, how, ticker).partition);
    }
  }
}

/// Throws infeasible if a promise about persons does not hold for one class of all records, which
/// keeps it if any classes do.
void check_persons(const Problem& problem) {
  const Promise* promise = find_made(problem.options.promises, rows_of_persons);
  if (promise == nullptr || problem.is_part()) return;
  const std::vector<Record> all = all_records(problem);
  if (all_allow(constraints_for(*promise, {}, problem.options.promises, problem.units),
                RecordSpan(all)))
    return;
  std::map<std::int32_t, std::int32_t> counts;
  std::int32_t most = 0;
  for (const std::int32_t unit : problem.units) most = std::max(most, ++counts[unit]);
  throw Error(
      ErrorKind::infeasible, std::string(promise->name) + " cannot be had",
      "One person has " + std::to_string(most) + " of " + std::to_string(all.size()) + " records.",
      "Allow a larger share, or publish fewer records of each person.");
}

}  // namespace

void check_feasible(const Problem& problem, Ticker& ticker) {
  check_persons(problem);
  const std::vector<Record> all = all_records(problem);
  const Promises promises = problem.units.empty()
                                ? problem.options.promises
                                : only(problem.options.promises, upward_closed_rows);
  for (const Promise* promise : kPromiseTable) {
    // One class of all is as close to the table as can be.
    if (!promise->is_made(promises) || !promise->monotone || promise->relative ||
        rows_without_values(*promise))
      continue;
    for (std::size_t a = 0; a < problem.sensitive.size(); ++a) {
      const SensitiveAttribute& attribute = problem.sensitive[a];
      ticker.step(std::int64_t{100} * problem.space.size());
      // For persons, only the distinct values of p and l are monotone: those of the records.
      const bool by_records = promise->measured_by == MeasuredBy::distinct_values;
      if (all_allow(constraints_for(*promise, {attribute}, promises,
                                    by_records ? std::vector<std::int32_t>() : problem.units),
                    RecordSpan(all)))
        continue;
      throw Error(ErrorKind::infeasible,
                  std::string(promise->name) + " cannot be had for sensitive column \"" +
                      problem.table.sensitive[a].name + "\"",
                  "Not even one class of all records satisfies it. " + capacity_of(attribute),
                  "Promise less, or leave the column out of the sensitive ones.");
    }
  }
}

std::vector<Partition> feasible_starts(const Problem& problem, const Constraints& constraints,
                                       Effort effort, Ticker& ticker) {
  const Space& space = problem.space;
  const std::vector<SensitiveAttribute>& attributes = problem.sensitive;
  const Promises& promises = problem.options.promises;
  const Record k = problem.options.k;
  const bool every = search_options(problem, effort).every_start;
  const Points points = points_of(space, {}, ticker);
  Starts starts(problem, constraints,
                every || (problem.table_records <= kManyStarts && points.fewer()), ticker);
  const bool tied = problem.table_records > kManyStarts && many_share(points);
  const bool chosen = !tied && !every && by_values(promises);
  if (!problem.units.empty()) {
    starts.add_neighbouring(mdav_classes(problem, ticker), false);
  } else {
    if (points.fewer()) starts.add_neighbouring(searched_points(problem, points, ticker), chosen);
    if (!tied)
      starts.add_neighbouring(mdav(space, k, ticker, stretch_of_start(problem.table_records)),
                              chosen);
  }
  if (every || (!tied && !starts.intact())) add_by_values(problem, starts, ticker);
  if (problem.table_records <= kFewRecords || !starts.compact())
    for (const RoundRobinBy by : {RoundRobinBy::value, RoundRobinBy::frequency})
      starts.add(round_robin(round_robin_order(attributes, all_records(problem), by, ticker),
                             space.size(), k, constraints, ticker));
  add_published(problem, constraints, every, starts, ticker);
  std::vector<Partition> found = starts.take();
  if (!found.empty()) return found;
  if (problem.is_part()) return {mdav_classes(problem, ticker)};
  Partition one = {std::vector<ClassId>(static_cast<std::size_t>(space.size()), 0), 1};
  if (all_allow(constraints, one, ticker)) return {std::move(one)};
  if (!problem.units.empty()) no_classes();
  throw Error(ErrorKind::infeasible,
              "no classes were found that satisfy (k,p,q,r)-anonymity and all else",
              "Neither the heuristic nor a round robin over their values satisfies it.",
              problem.options.promises.variance_of == VarianceOf::all
                  ? "Lower p or r."
                  : "Lower p or r, or take variance_of 'all'.");
}

Classification united_for_persons(const Problem& problem, Classification formed, Ticker& ticker) {
  check_persons(problem);
  const Constraints constraints = constraints_of(problem);
  formed.partition =
      unite_until_allowed(problem.space, std::move(formed.partition), constraints, ticker);
  if (!problem.is_part() && !all_allow(constraints, formed.partition, ticker)) no_classes();
  return formed;
}

Classification form_constrained(const Problem& problem, Effort effort, Ticker& ticker) {
  check_feasible(problem, ticker);
  ticker.step(std::int64_t{100} * problem.space.size());
  const Constraints constraints = constraints_of(problem);
  std::vector<Partition> starts = feasible_starts(problem, constraints, effort, ticker);
  // A search begins with classes that keep the promises. Those of a part that do not are left out
  // later.
  if (problem.is_part() && !all_allow(constraints, starts.front(), ticker))
    return {std::move(starts.front()), true};
  SearchedStarts found = refine_starts({problem.space, problem.options.k, pointers(constraints),
                                        alike_in(problem), as_published(problem, ticker)},
                                       std::move(starts), search_options(problem, effort), ticker);
  return {std::move(found.partition), found.reproducible};
}

}  // namespace anonkit
