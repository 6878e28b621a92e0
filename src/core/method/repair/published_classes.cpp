#include "method/repair/published_classes.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "base/at.hpp"
#include "base/error.hpp"
#include "method/constrained.hpp"
#include "method/repair/merging.hpp"
#include "method/repair/uniting.hpp"
#include "recode/masked.hpp"
#include "recode/recoding.hpp"

namespace anonkit {
namespace {

/// True if a promise may break where rounding joins classes.
bool may_break(const Problem& problem) {
  const Promises& promises = problem.options.promises;
  return (problem.options.counts_units && promises.any()) ||
         find_made(promises, [](const Promise& promise) { return !promise.monotone; }) != nullptr;
}

/// The classes of all records from the reader's view.
Partition joined(const Problem& problem, Partition partition, Ticker& ticker) {
  return joined_when_published(problem, all_records(problem), std::move(partition), ticker);
}

/// Unites classes until all are allowed as published; false if it does not help.
bool unite_as_published(const Problem& problem, Partition& partition, Ticker& ticker) {
  const Constraints constraints = constraints_of(problem);
  for (;;) {
    partition = joined(problem, std::move(partition), ticker);
    const ClassId before = partition.classes;
    if (all_allow(constraints, partition, ticker)) return true;
    // Each round has fewer classes, so the loop ends.
    partition = unite_until_allowed(problem.space, std::move(partition), constraints, ticker);
    if (partition.classes == before) return false;
  }
}

/// The first classes of other starts that are allowed as published, or one class of all.
std::optional<Partition> other_start_when_published(const Problem& problem, Ticker& ticker) {
  const Constraints constraints = constraints_of(problem);
  std::vector<Partition> starts = feasible_starts(problem, constraints, Effort::thorough, ticker);
  starts.push_back({std::vector<ClassId>(at(problem.space.size()), 0), 1});
  for (Partition& start : starts)
    if (unite_as_published(problem, start, ticker)) return std::move(start);
  return {};
}

}  // namespace

Partition joined_when_published(const Problem& problem, const std::vector<Record>& records,
                                Partition partition, Ticker& ticker) {
  Members members = members_of(partition);
  for (Record& record : members.records) record = problem.rows[at(records[at(record)])];
  Masked masked = published_cells(problem.table, members, problem.options.recode, ticker);
  join_equal_rows(masked, partition, ticker);
  return partition;
}

Partition keep_when_published(const Problem& problem, Partition partition, Ticker& ticker) {
  if (!may_break(problem)) return partition;
  // A part of a table may have classes that break a promise: they are left out later.
  if (unite_as_published(problem, partition, ticker) || problem.is_part()) return partition;
  if (problem.options.counts_units)
    throw Error(ErrorKind::infeasible, "no classes keep the promises to persons", "",
                "Promise less, or publish fewer rows of each person.");
  if (std::optional<Partition> other = other_start_when_published(problem, ticker))
    return std::move(*other);
  throw Error(ErrorKind::infeasible, "no classes were found that keep the promises as published",
              "Rounding makes cells of several classes equal, and their union breaks a promise.",
              recoding(problem.options.recode).keeps_type ? "Promise less, or publish ranges."
                                                          : "Promise less.");
}

bool are_kept_when_published(const Problem& problem, const Partition& partition, Ticker& ticker) {
  return !may_break(problem) ||
         all_allow(constraints_of(problem), joined(problem, partition, ticker), ticker);
}

AsPublished as_published(const Problem& problem, Ticker& ticker) {
  if (!may_break(problem)) return {};
  return [&](Partition partition) -> std::optional<Partition> {
    if (!unite_as_published(problem, partition, ticker)) return {};
    return partition;
  };
}

}  // namespace anonkit
