#include "method/repair/published_classes.hpp"

#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"
#include "method/repair/merging.hpp"
#include "method/repair/uniting.hpp"
#include "recode/masked.hpp"

namespace anonkit {
namespace {

/// The classes from the reader's view.
Partition joined(const Problem& problem, Partition partition, Ticker& ticker) {
  Members members = members_of(partition);
  for (Record& record : members.records) record = problem.rows[at(record)];
  Masked masked = published_cells(problem.table, members, problem.options.recode, ticker);
  join_equal_rows(masked, partition);
  return partition;
}

}  // namespace

Partition keep_when_published(const Problem& problem, Partition partition, Ticker& ticker) {
  const Constraints constraints = constraints_of(problem);
  for (;;) {
    partition = joined(problem, std::move(partition), ticker);
    const ClassId before = partition.classes;
    if (all_allow(constraints, partition, ticker)) return partition;
    // Each round has fewer classes, so the loop ends.
    partition = unite_until_allowed(problem.space, std::move(partition), constraints, ticker);
    if (partition.classes < before) continue;
    if (problem.options.counts_units && !problem.is_part())
      throw Error(ErrorKind::infeasible, "no classes keep what is promised to persons", "",
                  "Promise less, or publish fewer rows of each person.");
    return partition;
  }
}

}  // namespace anonkit
