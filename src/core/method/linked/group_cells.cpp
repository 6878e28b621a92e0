#include "method/linked/group_cells.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <queue>

#include "base/at.hpp"

namespace anonkit {
namespace {

/// Cuts of a cell that are tried, out of those proposed.
constexpr std::size_t kTriedCuts = 6;
constexpr std::size_t kProposedCuts = 12;

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

}  // namespace

void PatternSupport::clear(std::int32_t k, std::size_t patterns) {
  k_ = k;
  rare_ = 0;
  for (const std::size_t pattern : used_) supports_[pattern] = {};
  used_.clear();
  supports_.resize(std::max(supports_.size(), patterns));
}

double CellLoss::of(const Domain& domain) const {
  if (low_ > high_) return 0;
  // A cell of numbers and nulls is published as null.
  return static_cast<double>(rows_ - nulls_) * (nulls_ > 0 ? 1 : domain.penalty(low_, high_));
}

GroupCells::GroupCells(const AlignedRecords& records, const LinkedPromises& promises)
    : records_(records), promises_(promises) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> kinds;
  std::vector<std::int32_t> depth;  // by slot
  for (const Slot& slot : records.slots()) {
    const bool below_root = slot.parent == kNone || slot.parent == 0;
    const std::int32_t above = below_root ? kNone : kind_of_slot_[at(slot.parent)];
    const auto found = kinds.emplace(std::pair(slot.table, above), kinds_);
    if (found.second) ++kinds_;
    kind_of_slot_.push_back(found.first->second);
    depth.push_back(slot.parent == kNone ? 0 : depth[at(slot.parent)] + 1);
    depth_ = std::max(depth_, depth.back());
  }
}

double GroupCells::take(const std::int32_t* persons, std::int32_t count, double limit,
                        Ticker& ticker) {
  const double of_root = root_loss(persons, count, ticker);
  if (of_root >= limit) return kNoLimit;
  list_rows(persons, count, ticker);
  list_values(ticker);
  if (promises_.m > 1) list_common_rows(ticker);
  make_kinds();
  std::vector<std::int32_t> all(cells_.size());
  for (std::size_t c = 0; c < all.size(); ++c) all[c] = static_cast<std::int32_t>(c);
  repair(std::move(all), kNoLimit, ticker);
  // Rows never come back.
  if (of_root + withheld_loss() >= limit) return kNoLimit;
  divide(ticker);
  double loss = of_root;
  for (Cell& cell : cells_) {
    cell.rows = published(cell);
    loss += loss_of(cell, ticker);
  }
  return loss + withheld_loss();
}

double GroupCells::bytes(double pairs, double rows, std::size_t columns, std::size_t tables) {
  // The depth of the common row of each two; by row its places and coordinates, and the patterns
  // that a cell of this row may have.
  return 2 * 2 * pairs +
         rows * (128.0 + 8.0 * static_cast<double>(columns) + 16.0 * static_cast<double>(tables));
}

double GroupCells::root_loss(const std::int32_t* persons, std::int32_t count,
                             Ticker& ticker) const {
  double loss = 0;
  for (std::int32_t j = 0; j < records_.columns_of(0); ++j) {
    ticker.step(4 * std::int64_t{count});
    CellLoss column;
    for (std::int32_t i = 0; i < count; ++i)
      column.add_if(true, records_.coordinates(0, records_.rows_of(persons[i]).first->row)[j]);
    loss += column.of(records_.domain(0, j));
  }
  return loss;
}

double GroupCells::withheld_loss() const {
  double loss = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (cell_of_[i] == kNone) loss += kWithheldCell * records_.columns_of(rows_[i].table);
  return loss;
}

void GroupCells::list_rows(const std::int32_t* persons, std::int32_t count, Ticker& ticker) {
  rows_.clear();
  kind_of_.clear();
  first_.clear();
  for (std::int32_t person = 0; person < count; ++person) {
    first_.push_back(static_cast<std::int32_t>(rows_.size()));
    const SlotRows own = records_.rows_of(persons[person]);
    for (const SlotRow& row : own) {
      ticker.step(16);
      if (row.slot == 0) continue;
      const Slot& slot = records_.slot(row.slot);
      std::int32_t parent = kNone;
      if (slot.parent > 0) {
        // The root's row comes first, and is not among the rows.
        const SlotRow* found =
            std::lower_bound(own.first, own.last, slot.parent,
                             [](const SlotRow& other, std::int32_t s) { return other.slot < s; });
        parent = first_.back() + static_cast<std::int32_t>(found - own.first) - 1;
      }
      rows_.push_back({slot.table, row.row, person, parent});
      kind_of_.push_back(kind_of_slot_[at(row.slot)]);
    }
  }
  first_.push_back(static_cast<std::int32_t>(rows_.size()));
}

/// Copies the coordinates, which are all over the tables.
void GroupCells::list_values(Ticker& ticker) {
  values_.clear();
  first_value_.clear();
  for (const CellRow& row : rows_) {
    ticker.step(8);
    first_value_.push_back(values_.size());
    const double* x = records_.coordinates(row.table, row.row);
    values_.insert(values_.end(), x, x + records_.columns_of(row.table));
  }
}

/// By person, for each two rows, the depth of the lowest row that is above or one of both; 0: only
/// the person is.
void GroupCells::list_common_rows(Ticker& ticker) {
  first_common_.clear();
  std::size_t size = 0;
  for (std::size_t person = 0; person + 1 < first_.size(); ++person) {
    first_common_.push_back(size);
    const std::size_t n = at(first_[person + 1] - first_[person]);
    size += n * n;
  }
  common_.resize(size);
  for (std::size_t person = 0; person + 1 < first_.size(); ++person) {
    const std::int32_t first = first_[person];
    const std::size_t n = at(first_[person + 1] - first);
    std::uint16_t* const common = common_.data() + first_common_[person];
    ticker.step(static_cast<std::int64_t>(2 * n * n));
    for (std::size_t a = 0; a < n; ++a) {
      // Parents come before their children, so no row before this one is below it.
      const std::int32_t parent = rows_[at(first) + a].parent;
      const std::uint16_t* const above =
          parent == kNone ? nullptr : common + at(parent - first) * n;
      for (std::size_t b = 0; b < a; ++b)
        common[a * n + b] = common[b * n + a] = above == nullptr ? std::uint16_t{0} : above[b];
      const int depth = above == nullptr ? 1 : above[at(parent - first)] + 1;
      common[a * n + a] = static_cast<std::uint16_t>(depth);
    }
  }
}

void GroupCells::make_kinds() {
  std::vector<std::int32_t> cell_of_kind(at(kinds_), kNone);
  cells_.clear();
  cell_of_.clear();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    std::int32_t& cell = cell_of_kind[at(kind_of_[i])];
    if (cell == kNone) {
      cell = cells();
      cells_.push_back({rows_[i].table, {}, 0, {}});
    }
    cell_of_.push_back(cell);
    cells_[at(cell)].rows.push_back(static_cast<std::int32_t>(i));
  }
  turn_.assign(cells_.size(), 0);
}

/// Cuts cells, each time by the cut that the loss falls most by.
void GroupCells::divide(Ticker& ticker) {
  using Waiting = std::pair<double, std::int32_t>;
  std::priority_queue<Waiting> waiting;
  const auto add = [&](std::int32_t c) {
    propose(c, ticker);
    if (!cells_[at(c)].cuts.empty()) waiting.emplace(cells_[at(c)].cuts.front().fall, c);
  };
  for (std::int32_t c = 0; c < cells(); ++c) add(c);
  while (!waiting.empty()) {
    const std::int32_t c = waiting.top().second;
    waiting.pop();
    // Other cuts may have withheld some of its rows since, and its cuts gain less.
    if (published(cells_[at(c)]).size() < cells_[at(c)].rows.size()) {
      add(c);
      continue;
    }
    if (!try_cuts(c, ticker)) continue;
    add(c);
    add(cells() - 1);
  }
}

bool GroupCells::try_cuts(std::int32_t c, Ticker& ticker) {
  const std::vector<GroupCut> cuts = std::move(cells_[at(c)].cuts);
  for (const GroupCut& cut : cuts) {
    if (apply(c, cut, ticker)) return true;
    undo(c);
  }
  return false;
}

std::vector<std::int32_t> GroupCells::published(const Cell& cell) const {
  std::vector<std::int32_t> rows;
  rows.reserve(cell.rows.size());
  for (const std::int32_t row : cell.rows)
    if (cell_of_[at(row)] != kNone) rows.push_back(row);
  return rows;
}

double GroupCells::loss_of(const Cell& cell, Ticker& ticker) const {
  double loss = 0;
  for (std::int32_t j = 0; j < records_.columns_of(cell.table); ++j) {
    ticker.step(4 * static_cast<std::int64_t>(cell.rows.size()));
    CellLoss column;
    for (const std::int32_t row : cell.rows) column.add_if(true, values_of(row)[j]);
    loss += column.of(records_.domain(cell.table, j));
  }
  return loss;
}

/// The fall of the loss of all columns together. `values` are the rows' coordinates.
double GroupCells::fall_of(const GroupCut& cut, const Cell& cell,
                           const std::vector<const double*>& values, Ticker& ticker) const {
  const std::int32_t columns = records_.columns_of(cell.table);
  // A cut's own fall is that of its column.
  if (columns == 1) return cut.fall;
  ticker.step(4 * columns * static_cast<std::int64_t>(values.size()));
  double fall = cell.loss;
  for (std::int32_t j = 0; j < columns; ++j) {
    CellLoss inside, rest;
    for (const double* x : values)
      inside.add_if(cut.holds(x), x[j]), rest.add_if(!cut.holds(x), x[j]);
    fall -= inside.of(records_.domain(cell.table, j)) + rest.of(records_.domain(cell.table, j));
  }
  return fall;
}

/// Finds the cuts of a cell that lower its loss.
void GroupCells::propose(std::int32_t c, Ticker& ticker) {
  Cell& cell = cells_[at(c)];
  cell.rows = published(cell);
  cell.loss = loss_of(cell, ticker);
  cell.cuts.clear();
  if (cell.loss <= 0) return;
  std::vector<const double*> values;
  for (const std::int32_t row : cell.rows) values.push_back(values_of(row));
  for (GroupCut cut :
       proposed_row_cuts(records_, cell.table, values, promises_.k, kProposedCuts, ticker)) {
    cut.fall = fall_of(cut, cell, values, ticker);
    if (cut.fall > 0) cell.cuts.push_back(cut);
  }
  std::stable_sort(cell.cuts.begin(), cell.cuts.end(),
                   [](const GroupCut& a, const GroupCut& b) { return a.fall > b.fall; });
  cell.cuts.resize(std::min(cell.cuts.size(), kTriedCuts));
}

/// Gives the rows inside a cut a new cell, the last one. False if the repair costs too much; then
/// undo() restores the cell.
bool GroupCells::apply(std::int32_t c, const GroupCut& cut, Ticker& ticker) {
  const std::int32_t made = cells();
  cells_.push_back({cells_[at(c)].table, {}, 0, {}});
  turn_.push_back(0);
  withheld_.clear();
  std::vector<std::int32_t> inside, rest;
  for (const std::int32_t row : cells_[at(c)].rows)
    if (cell_of_[at(row)] != kNone) (cut.holds(values_of(row)) ? inside : rest).push_back(row);
  for (const std::int32_t row : inside) cell_of_[at(row)] = made;
  cells_.back().rows = std::move(inside);
  if (rest.empty() || cells_.back().rows.empty()) return false;
  // The smaller one is counted first, as most cuts fail at it.
  const bool smaller = cells_.back().rows.size() <= rest.size();
  if (!repair({smaller ? made : c, smaller ? c : made}, cut.fall, ticker)) return false;
  cells_[at(c)].rows = std::move(rest);
  return true;
}

void GroupCells::undo(std::int32_t c) {
  for (const auto& [row, cell] : withheld_) cell_of_[at(row)] = cell;
  for (const std::int32_t row : cells_.back().rows) cell_of_[at(row)] = c;
  cells_.pop_back();
  turn_.pop_back();
}

/// Withholds rows until all patterns with a row of a dirty cell have k persons. False if that costs
/// more than the budget.
bool GroupCells::repair(std::vector<std::int32_t> dirty, double budget, Ticker& ticker) {
  double spent = 0;
  while (!dirty.empty() && spent <= budget) {
    for (std::size_t i = 0; i < dirty.size(); ++i)
      turn_[at(dirty[i])] = static_cast<std::int32_t>(i) + 1;
    std::vector<std::int32_t> touched;
    for (std::size_t i = 0; i < dirty.size() && spent <= budget; ++i)
      spent += withhold_rare(dirty[i], budget - spent, touched, ticker);
    for (const std::int32_t cell : dirty) turn_[at(cell)] = 0;
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    dirty = std::move(touched);
  }
  return spent <= budget;
}

/// Withholds a row of each occurrence of the cell's rare patterns. Returns the cost, which may be
/// infinite if it exceeds the budget.
double GroupCells::withhold_rare(std::int32_t c, double budget, std::vector<std::int32_t>& touched,
                                 Ticker& ticker) {
  support_.clear(promises_.k, (cells_.size() + 1) * at(depth_ + 1));
  for_each_pattern(c, ticker, [&](std::size_t pattern, std::int32_t a, std::int32_t) {
    support_.add(pattern, rows_[at(a)].person);
  });
  if (support_.rare() == 0) return 0;
  // A rare pattern costs a row at least.
  if (kWithheldCell > budget) return kNoLimit;
  double spent = 0;
  for_each_pattern(c, ticker, [&](std::size_t pattern, std::int32_t a, std::int32_t b) {
    if (spent > budget || support_.persons(pattern) >= promises_.k) return;
    const bool other = b != kNone && turn_[at(cell_of_[at(b)])] != 0 && cost(b) < cost(a);
    spent += withhold(other ? b : a, touched);
  });
  return spent;
}

/// Passes the number of each pattern with a row of the cell, that row and, for two rows, the other
/// one. Cells whose turn in the repair was before have passed theirs.
template <class Take>
void GroupCells::for_each_pattern(std::int32_t c, Ticker& ticker, Take take) const {
  const std::int32_t turn = turn_[at(c)];
  for (const std::int32_t a : cells_[at(c)].rows) {
    ticker.step(8);
    if (cell_of_[at(a)] != c) continue;
    take(0, a, kNone);
    if (promises_.m < 2) continue;
    const std::int32_t person = rows_[at(a)].person;
    const std::int32_t first = first_[at(person)];
    const std::int32_t end = first_[at(person) + 1];
    const std::uint16_t* const common =
        common_.data() + first_common_[at(person)] + at(a - first) * at(end - first);
    ticker.step(4 * (end - first));
    for (std::int32_t b = first; b < end; ++b) {
      // The caller may withhold either row meanwhile.
      if (cell_of_[at(a)] != c) break;
      const std::int32_t other = cell_of_[at(b)];
      if (other == kNone || b == a) continue;
      const std::int32_t its_turn = turn_[at(other)];
      if (its_turn != 0 && (its_turn < turn || (its_turn == turn && b < a))) continue;
      take(at(other + 1) * at(depth_ + 1) + common[b - first], a, b);
    }
  }
}

/// A row without columns still has links.
double GroupCells::cost(std::int32_t row) const {
  double sum = 0;
  const std::int32_t end = first_[at(rows_[at(row)].person) + 1];
  std::vector<std::int32_t> below = {row};
  for (std::int32_t i = row; i < end; ++i) {
    const CellRow& of = rows_[at(i)];
    if (i > row && !std::binary_search(below.begin(), below.end(), of.parent)) continue;
    if (cell_of_[at(i)] == kNone) continue;
    if (i > row) below.push_back(i);
    sum += kWithheldCell * std::max(records_.columns_of(of.table), 1);
  }
  return sum;
}

/// Withholds a row and all that hangs on it. Returns the cost.
double GroupCells::withhold(std::int32_t row, std::vector<std::int32_t>& touched) {
  const double sum = cost(row);
  const std::int32_t end = first_[at(rows_[at(row)].person) + 1];
  std::vector<std::int32_t> below = {row};
  for (std::int32_t i = row; i < end; ++i) {
    std::int32_t& cell = cell_of_[at(i)];
    if (cell == kNone) continue;
    if (i > row && !std::binary_search(below.begin(), below.end(), rows_[at(i)].parent)) continue;
    if (i > row) below.push_back(i);
    withheld_.emplace_back(i, cell);
    touched.push_back(cell);
    cell = kNone;
  }
  return sum;
}

}  // namespace anonkit
