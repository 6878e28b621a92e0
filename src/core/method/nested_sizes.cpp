#include "method/nested_sizes.hpp"

#include <optional>
#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"
#include "method/problem_loss.hpp"
#include "method/repair/published_classes.hpp"
#include "method/repair/risk_merging.hpp"
#include "promise/risk_limits.hpp"
#include "search/crossover.hpp"

namespace anonkit {
namespace {

using FormClasses = std::function<Classification(const Problem&)>;

// A fast search of more records forms classes of one size only.
constexpr Record kManyRecords = 100000;
// A promise on values leaves few of a record's changes, and large classes have many records to try:
// of more records than these, in classes of more than so many, a fast search ends far from a local
// optimum. There the largest classes of the ladder are searched again with so many times the usual
// effort.
constexpr Record kEndsNear = 5000, kManyInClass = 10;
constexpr double kLonger = 4;
// Work per record whose person is counted, in the ticker's units.
constexpr std::int64_t kWorkOfMember = 50;

bool limits_risk(const Problem& problem) {
  return RiskLimits(problem.options.promises).any();
}

/// Without such a promise, k decides the sizes of classes, and classes of more records lose more.
bool needs_larger_classes(const Problem& problem) {
  const Promises& promises = problem.options.promises;
  return promises.any() || find_made(promises, rows_of_persons) != nullptr || limits_risk(problem);
}

bool may_nest(const Problem& problem, Effort effort) {
  return !problem.clock && (effort != Effort::fast || problem.table_records <= kManyRecords) &&
         needs_larger_classes(problem);
}

/// True if most records are in classes of so many members, be it in a few united ones.
bool are_mostly_in(const Problem& problem, const Partition& partition, Record size,
                   Ticker& ticker) {
  const Members members = members_of(partition);
  std::int64_t large = 0, all = 0;
  for (const RecordSpan of_class : members) {
    ticker.step(kWorkOfMember * of_class.size());
    large += count_members(problem, of_class) >= size ? of_class.size() : 0;
    all += of_class.size();
  }
  return 2 * large > all;
}

/// The nested classes of that size; none where there are not so many persons, or where no such
/// classes are found.
std::optional<Classification> form_next(const Problem& problem, Record size, Effort effort,
                                        const FormClasses& form, Ticker& ticker) {
  Options options = problem.options;
  options.k = size;
  return unless({ErrorKind::infeasible}, [&] {
    return form_nested(
        {problem.table, problem.rows, problem.columns, problem.space, problem.sensitive, options,
         problem.clock, problem.table_records, problem.units},
        effort, form, ticker);
  });
}

/// The partition of less loss; the first of equals.
Partition less_of(const ProblemLoss& loss, Partition one, Partition other) {
  return loss.total(other) < loss.total(one) ? std::move(other) : std::move(one);
}

/// The crossover of two partitions that keep the promises as readers see them, if it does so, too.
/// It need not stay below limits on the risk of the whole release.
std::optional<Partition> crossed(const Problem& problem, const ProblemLoss& loss,
                                 const Partition& one, const Partition& other, Ticker& ticker) {
  if (limits_risk(problem)) return {};
  Partition found =
      crossover(one, other, [&](const RecordSpan& members) { return loss.of_class(members); });
  const AsPublished published = as_published(problem, ticker);
  return published ? published(std::move(found)) : std::optional<Partition>(std::move(found));
}

/// True if a search from these classes ends far from a local optimum.
bool ends_early(const Problem& problem, Effort effort, const Partition& from) {
  return effort == Effort::fast && problem.table_records > kEndsNear &&
         problem.space.records() > std::int64_t{kManyInClass} * from.classes;
}

/// A search for classes of k records from others, of `scale` times the usual effort. Where smaller
/// classes would exceed a limit on the risk, they are united again, which may lose more than not to
/// search.
Classification search_within(const Problem& problem, const Classification& from, Effort effort,
                             double scale, const ProblemLoss& loss, Ticker& ticker) {
  Classification found = search_on(problem, from.partition, effort, ticker, scale);
  if (!limits_risk(problem)) return found;
  found.partition =
      less_of(loss, from.partition, merge_within_risk(problem, std::move(found.partition), ticker));
  return found;
}

/// The classes, or better ones of a longer search where the usual one ends early.
Classification searched_longer(const Problem& problem, Classification own, Effort effort,
                               Ticker& ticker) {
  if (!ends_early(problem, effort, own.partition)) return own;
  const ProblemLoss loss(problem, ticker);
  Classification found = search_within(problem, own, effort, kLonger, loss, ticker);
  own.partition = less_of(loss, std::move(own.partition), std::move(found.partition));
  own.reproducible = own.reproducible && found.reproducible;
  return own;
}

}  // namespace

Record next_class_size(Record k) {
  for (Record ten = 10;; ten *= 10)
    for (const Record size : {ten / 2, ten, 2 * ten})
      if (size > k) return size;
}

Classification form_nested(const Problem& problem, Effort effort, const FormClasses& form,
                           Ticker& ticker) {
  Classification own = form(problem);
  if (own.masked.has_value() || !may_nest(problem, effort)) return own;
  const Record size = next_class_size(problem.options.k);
  const bool nests =
      problem.space.size() >= 2 * size && are_mostly_in(problem, own.partition, size, ticker);
  const std::optional<Classification> larger =
      nests ? form_next(problem, size, effort, form, ticker) : std::nullopt;
  if (!larger) return searched_longer(problem, std::move(own), effort, ticker);
  const ProblemLoss loss(problem, ticker);
  Classification found = search_within(problem, *larger, effort, 1, loss, ticker);
  const bool finds_less = loss.total(found.partition) < loss.total(own.partition);
  if (!finds_less) own = searched_longer(problem, std::move(own), effort, ticker);
  std::optional<Partition> both = crossed(problem, loss, own.partition, found.partition, ticker);
  if (finds_less) own.partition = std::move(found.partition);
  if (both) own.partition = less_of(loss, std::move(own.partition), std::move(*both));
  own.reproducible = own.reproducible && larger->reproducible && found.reproducible;
  return own;
}

}  // namespace anonkit
