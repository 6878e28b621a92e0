#include "method/linked/group_cuts.hpp"

#include <algorithm>
#include <limits>

#include "base/at.hpp"

namespace anonkit {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Children of the common label that are tried against the rest: the most frequent ones.
constexpr std::size_t kChildren = 8;
/// Parts between the quantiles that are tried.
constexpr std::size_t kParts = 8;

/// The coordinates of a slot's column in a group, ascending, without nulls.
struct SortedColumn {
  const Domain* domain;
  std::vector<double> x;
  std::size_t nulls;

  std::size_t size() const { return x.size() + nulls; }
  /// The loss of the values from one place to another, without nulls.
  double loss(std::size_t begin, std::size_t end) const {
    return begin == end ? 0
                        : static_cast<double>(end - begin) * domain->penalty(x[begin], x[end - 1]);
  }
  /// The loss of those values and the nulls: a cell of both is null.
  double loss_with_nulls(std::size_t begin, std::size_t end) const {
    return nulls > 0 ? static_cast<double>(end - begin) : loss(begin, end);
  }
  /// The loss of the nulls and all values but those from one place to another.
  double loss_without(std::size_t begin, std::size_t end) const {
    if (begin == 0) return loss_with_nulls(end, x.size());
    if (end == x.size()) return loss_with_nulls(0, begin);
    const double penalty = nulls > 0 ? 1 : domain->penalty(x.front(), x.back());
    return static_cast<double>(x.size() - (end - begin)) * penalty;
  }
};

class CutList {
 public:
  CutList(std::int32_t k, std::size_t persons) : k_(static_cast<std::size_t>(k)), n_(persons) {}

  /// Adds a cut of `inside` persons from the others.
  void add(const GroupCut& cut, std::size_t inside) {
    if (inside >= k_ && n_ - inside >= k_) cuts_.push_back(cut);
  }

  std::vector<GroupCut> best(std::size_t most) {
    std::stable_sort(cuts_.begin(), cuts_.end(),
                     [](const GroupCut& a, const GroupCut& b) { return a.fall > b.fall; });
    cuts_.resize(std::min(cuts_.size(), most));
    return std::move(cuts_);
  }

 private:
  std::size_t k_;
  std::size_t n_;
  std::vector<GroupCut> cuts_;
};

/// The column of rows; values_of(i) are the coordinates of the i-th of them.
template <class ValuesOf>
SortedColumn sorted_column(const AlignedRecords& records, std::int32_t table, std::int32_t column,
                           std::size_t count, ValuesOf values_of, Ticker& ticker) {
  SortedColumn sorted = {&records.domain(table, column), {}, 0};
  for (std::size_t i = 0; i < count; ++i) {
    ticker.step(40);
    const double x = values_of(i)[column];
    if (is_null(x))
      ++sorted.nulls;
    else
      sorted.x.push_back(x);
  }
  std::sort(sorted.x.begin(), sorted.x.end());
  return sorted;
}

/// The values from `begin` to `end` against the others.
void add_interval(const SortedColumn& column, GroupCut cut, std::size_t begin, std::size_t end,
                  double before, CutList& cuts) {
  cut.low = column.x[begin];
  cut.high = column.x[end - 1];
  cut.fall = before - column.loss(begin, end) - column.loss_without(begin, end);
  cuts.add(cut, end - begin);
}

void add_quantiles(const SortedColumn& column, const GroupCut& cut, double before, CutList& cuts) {
  const std::size_t n = column.x.size();
  std::size_t done = 0;
  for (std::size_t part = 1; part < kParts; ++part) {
    std::size_t end = n * part / kParts;
    while (end < n && end > 0 && !(column.x[end - 1] < column.x[end])) ++end;
    if (end <= done || end == n) continue;
    done = end;
    add_interval(column, cut, 0, end, before, cuts);
  }
}

/// The children of the values' lowest common label, each against the rest.
void add_children(const SortedColumn& column, const GroupCut& cut, double before, CutList& cuts) {
  const Domain& domain = *column.domain;
  const auto levels = static_cast<std::size_t>(domain.hierarchy->height()) + 1;
  const auto ancestor = [&](std::size_t level, double x) -> const Domain::Ancestor& {
    return domain.ancestors[static_cast<std::size_t>(x) * levels + level];
  };
  std::size_t common = 0;
  while (ancestor(common, column.x.front()).last < column.x.back()) ++common;
  if (common == 0) return;
  struct Child {
    std::size_t begin, end;
  };
  std::vector<Child> children;
  for (std::size_t i = 0; i < column.x.size();) {
    const std::size_t begin = i;
    const double last = ancestor(common - 1, column.x[begin]).last;
    while (i < column.x.size() && column.x[i] <= last) ++i;
    children.push_back({begin, i});
  }
  std::stable_sort(children.begin(), children.end(), [](const Child& a, const Child& b) {
    return a.end - a.begin > b.end - b.begin;
  });
  children.resize(std::min(children.size(), kChildren));
  for (const Child& child : children)
    add_interval(column, cut, child.begin, child.end, before, cuts);
}

void add_column(const SortedColumn& column, GroupCut cut, CutList& cuts) {
  const std::size_t n = column.x.size();
  if (n == 0) return;
  const double before = column.loss_with_nulls(0, n);
  // All values from the nulls: no cut without nulls, since nobody is outside.
  cut.low = -kInfinity;
  cut.high = kInfinity;
  cut.fall = before - column.loss(0, n);
  cuts.add(cut, n);
  if (!(column.x.front() < column.x.back())) return;
  add_quantiles(column, cut, before, cuts);
  if (column.domain->by == Generalise::hierarchy) add_children(column, cut, before, cuts);
}

}  // namespace

bool GroupCut::holds(const AlignedRecords& records, std::int32_t person) const {
  const std::int32_t row = records.rows_of(person).row_in(slot);
  if (column == kNone || row == kNone) return row != kNone;
  return holds(records.coordinates(records.slot(slot).table, row));
}

std::vector<GroupCut> proposed_cuts(const AlignedRecords& records, const GroupMeasure& group,
                                    const std::vector<std::int32_t>& persons, std::int32_t k,
                                    std::size_t most, Ticker& ticker) {
  CutList cuts(k, persons.size());
  for (const GroupSlot& slot : group.slots()) {
    const std::int32_t columns = records.columns_of(records.slot(slot.slot).table);
    GroupCut cut;
    cut.slot = slot.slot;
    if (!group.is_published(slot)) {
      // A table without columns has links all the same.
      cut.fall = kWithheldCell * slot.rows * std::max(columns, 1) / 2;
      cuts.add(cut, at(slot.rows));
      continue;
    }
    const std::int32_t table = records.slot(slot.slot).table;
    const auto values_of = [&](std::size_t i) {
      return records.coordinates(table, records.rows_of(persons[i]).row_in(slot.slot));
    };
    for (cut.column = 0; cut.column < columns; ++cut.column)
      add_column(sorted_column(records, table, cut.column, persons.size(), values_of, ticker), cut,
                 cuts);
  }
  return cuts.best(most);
}

std::vector<GroupCut> proposed_row_cuts(const AlignedRecords& records, std::int32_t table,
                                        const std::vector<const double*>& rows, std::int32_t k,
                                        std::size_t most, Ticker& ticker) {
  CutList cuts(k, rows.size());
  GroupCut cut;
  for (cut.column = 0; cut.column < records.columns_of(table); ++cut.column)
    add_column(sorted_column(
                   records, table, cut.column, rows.size(), [&](std::size_t i) { return rows[i]; },
                   ticker),
               cut, cuts);
  return cuts.best(most);
}

}  // namespace anonkit
