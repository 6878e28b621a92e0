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

void PatternSupport::clear(std::int32_t k) {
  k_ = k;
  used_ = 0;
  rare_ = 0;
  if (++epoch_ == 0) {
    slots_.clear();
    epoch_ = 1;
  }
  if (slots_.empty()) slots_.resize(1024);
}

void PatternSupport::add(std::uint64_t pattern, std::int32_t person) {
  if (2 * (used_ + 1) > slots_.size()) grow();
  Slot& slot = slots_[place_of(pattern)];
  if (slot.epoch != epoch_) {
    slot = {pattern, epoch_, 0, kNone};
    ++used_;
    ++rare_;
  }
  if (slot.last == person) return;
  slot.last = person;
  if (++slot.persons == k_) --rare_;
}

std::int32_t PatternSupport::persons(std::uint64_t pattern) const {
  const Slot& slot = slots_[place_of(pattern)];
  return slot.epoch == epoch_ ? slot.persons : 0;
}

/// The place of a pattern, or a free one.
std::size_t PatternSupport::place_of(std::uint64_t pattern) const {
  const std::uint64_t mixed = pattern * 0x9e3779b97f4a7c15U;
  std::size_t place = static_cast<std::size_t>(mixed >> 20) & (slots_.size() - 1);
  while (slots_[place].epoch == epoch_ && slots_[place].pattern != pattern)
    place = (place + 1) & (slots_.size() - 1);
  return place;
}

void PatternSupport::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  for (const Slot& slot : old)
    if (slot.epoch == epoch_) slots_[place_of(slot.pattern)] = slot;
}

GroupCells::GroupCells(const AlignedRecords& records, const LinkedPromises& promises)
    : records_(records), promises_(promises), root_(records, promises) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> kinds;
  for (const Slot& slot : records.slots()) {
    const std::int32_t above =
        slot.parent == kNone || slot.parent == 0 ? kNone : kind_of_slot_[at(slot.parent)];
    const auto found = kinds.emplace(std::pair(slot.table, above), kinds_);
    if (found.second) ++kinds_;
    kind_of_slot_.push_back(found.first->second);
  }
}

double GroupCells::take(const std::int32_t* persons, std::int32_t count, Ticker& ticker) {
  list_rows(persons, count, ticker);
  make_kinds();
  std::vector<std::int32_t> all(cells_.size());
  for (std::size_t c = 0; c < all.size(); ++c) all[c] = static_cast<std::int32_t>(c);
  repair(std::move(all), kNoLimit, ticker);
  divide(ticker);
  root_.take(persons, count, ticker);
  double loss = 0;
  for (std::int32_t j = 0; j < records_.columns_of(0); ++j) loss += root_.cell_loss(0, j);
  for (const Cell& cell : cells_) loss += loss_of(cell.table, published(cell), ticker);
  for (const CellRow& row : rows_)
    if (row.cell == kNone) loss += kWithheldCell * records_.columns_of(row.table);
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
      rows_.push_back({slot.table, row.row, person, parent, kNone});
      kind_of_.push_back(kind_of_slot_[at(row.slot)]);
    }
  }
  first_.push_back(static_cast<std::int32_t>(rows_.size()));
}

void GroupCells::make_kinds() {
  std::vector<std::int32_t> cell_of(at(kinds_), kNone);
  cells_.clear();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    std::int32_t& cell = cell_of[at(kind_of_[i])];
    if (cell == kNone) {
      cell = cells();
      cells_.push_back({rows_[i].table, {}, 0, {}});
    }
    rows_[i].cell = cell;
    cells_[at(cell)].rows.push_back(static_cast<std::int32_t>(i));
  }
  dirty_.assign(cells_.size(), 0);
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
  for (const std::int32_t row : cell.rows)
    if (rows_[at(row)].cell != kNone) rows.push_back(row);
  return rows;
}

double GroupCells::loss_of(std::int32_t table, const std::vector<std::int32_t>& rows,
                           Ticker& ticker) const {
  double loss = 0;
  const auto n = static_cast<double>(rows.size());
  for (std::int32_t j = 0; j < records_.columns_of(table); ++j) {
    ticker.step(4 * static_cast<std::int64_t>(rows.size()));
    CellExtent extent = {kNoLimit, -kNoLimit, 0};
    for (const std::int32_t row : rows) {
      const double x = records_.coordinates(table, rows_[at(row)].row)[j];
      if (is_null(x)) {
        ++extent.nulls;
        continue;
      }
      extent.low = std::min(extent.low, x);
      extent.high = std::max(extent.high, x);
    }
    if (extent.low > extent.high) continue;
    loss += extent.nulls > 0 ? n - extent.nulls
                             : n * records_.domain(table, j).penalty(extent.low, extent.high);
  }
  return loss;
}

/// Finds the cuts of a cell that lower its loss, by the falls of all columns together.
void GroupCells::propose(std::int32_t c, Ticker& ticker) {
  Cell& cell = cells_[at(c)];
  cell.rows = published(cell);
  cell.loss = loss_of(cell.table, cell.rows, ticker);
  cell.cuts.clear();
  if (cell.loss <= 0) return;
  std::vector<std::int32_t> table_rows;
  for (const std::int32_t row : cell.rows) table_rows.push_back(rows_[at(row)].row);
  for (GroupCut cut :
       proposed_row_cuts(records_, cell.table, table_rows, promises_.k, kProposedCuts, ticker)) {
    std::vector<std::int32_t> inside, rest;
    for (const std::int32_t row : cell.rows)
      (cut.holds_row(records_, cell.table, rows_[at(row)].row) ? inside : rest).push_back(row);
    cut.fall = cell.loss - loss_of(cell.table, inside, ticker) - loss_of(cell.table, rest, ticker);
    if (cut.fall > 0) cell.cuts.push_back(cut);
  }
  std::stable_sort(cell.cuts.begin(), cell.cuts.end(),
                   [](const GroupCut& a, const GroupCut& b) { return a.fall > b.fall; });
  if (cell.cuts.size() > kTriedCuts) cell.cuts.resize(kTriedCuts);
}

/// Gives the rows inside a cut a new cell, the last one. False if the repair costs too much; then
/// undo() restores the cell.
bool GroupCells::apply(std::int32_t c, const GroupCut& cut, Ticker& ticker) {
  const std::int32_t made = cells();
  cells_.push_back({cells_[at(c)].table, {}, 0, {}});
  dirty_.push_back(0);
  withheld_.clear();
  std::vector<std::int32_t> rest;
  for (const std::int32_t row : published(cells_[at(c)])) {
    CellRow& of = rows_[at(row)];
    if (cut.holds_row(records_, of.table, of.row)) {
      of.cell = made;
      cells_.back().rows.push_back(row);
    } else {
      rest.push_back(row);
    }
  }
  if (rest.empty() || cells_.back().rows.empty() || !repair({c, made}, cut.fall, ticker))
    return false;
  cells_[at(c)].rows = std::move(rest);
  return true;
}

void GroupCells::undo(std::int32_t c) {
  for (const auto& [row, cell] : withheld_) rows_[at(row)].cell = cell;
  for (const std::int32_t row : cells_.back().rows) rows_[at(row)].cell = c;
  cells_.pop_back();
  dirty_.pop_back();
}

/// Withholds rows until all patterns with a row of a dirty cell have k persons. False if that costs
/// more than the budget.
bool GroupCells::repair(std::vector<std::int32_t> dirty, double budget, Ticker& ticker) {
  double spent = 0;
  while (!dirty.empty()) {
    for (const std::int32_t cell : dirty) dirty_[at(cell)] = 1;
    const std::vector<std::int32_t> persons = persons_in(dirty);
    support_.clear(promises_.k);
    for_each_pattern(persons, ticker, [&](std::uint64_t key, std::int32_t a, std::int32_t) {
      support_.add(key, rows_[at(a)].person);
    });
    // A rare pattern costs a row at least.
    if (support_.rare() > 0 && spent + kWithheldCell > budget) spent = kNoLimit;
    if (support_.rare() == 0 || spent > budget) {
      for (const std::int32_t cell : dirty) dirty_[at(cell)] = 0;
      return spent <= budget;
    }
    std::vector<std::int32_t> touched;
    for_each_pattern(persons, ticker, [&](std::uint64_t key, std::int32_t a, std::int32_t b) {
      if (spent > budget || support_.persons(key) >= promises_.k) return;
      if (rows_[at(a)].cell == kNone || (b != kNone && rows_[at(b)].cell == kNone)) return;
      const bool other = b != kNone && dirty_[at(rows_[at(b)].cell)] != 0 && cost(b) < cost(a);
      spent += withhold(other ? b : a, touched);
    });
    for (const std::int32_t cell : dirty) dirty_[at(cell)] = 0;
    if (spent > budget) return false;
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    dirty = std::move(touched);
  }
  return true;
}

std::vector<std::int32_t> GroupCells::persons_in(const std::vector<std::int32_t>& cells) const {
  std::vector<std::int32_t> persons;
  for (const std::int32_t cell : cells)
    for (const std::int32_t row : cells_[at(cell)].rows)
      if (rows_[at(row)].cell != kNone) persons.push_back(rows_[at(row)].person);
  std::sort(persons.begin(), persons.end());
  persons.erase(std::unique(persons.begin(), persons.end()), persons.end());
  return persons;
}

/// Passes each pattern of the persons that has a row of a dirty cell, with that row and, for two
/// rows, the other one.
template <class Take>
void GroupCells::for_each_pattern(const std::vector<std::int32_t>& persons, Ticker& ticker,
                                  Take take) const {
  const auto is_dirty = [&](std::int32_t row) {
    return rows_[at(row)].cell != kNone && dirty_[at(rows_[at(row)].cell)] != 0;
  };
  for (const std::int32_t person : persons)
    for (std::int32_t a = first_[at(person)]; a < first_[at(person) + 1]; ++a) {
      ticker.step(8);
      if (!is_dirty(a)) continue;
      take(pattern(a, kNone), a, kNone);
      if (promises_.m < 2) continue;
      ticker.step(20 * (first_[at(person) + 1] - first_[at(person)]));
      for (std::int32_t b = first_[at(person)]; b < first_[at(person) + 1]; ++b) {
        // The caller may withhold either row meanwhile.
        if (!is_dirty(a)) break;
        if (b == a || rows_[at(b)].cell == kNone || (b < a && is_dirty(b))) continue;
        take(pattern(a, b), a, b);
      }
    }
}

/// The key of a row's cell, or of two rows' cells and the table of the lowest row that is above or
/// one of both: 27 bits a cell, 10 a table.
std::uint64_t GroupCells::pattern(std::int32_t a, std::int32_t b) const {
  const auto cell = [&](std::int32_t row) {
    return row == kNone ? std::uint64_t{0} : static_cast<std::uint64_t>(rows_[at(row)].cell) + 1;
  };
  const std::uint64_t low = std::min(cell(a), cell(b));
  const std::uint64_t high = std::max(cell(a), cell(b));
  std::uint64_t table = 0;
  if (b != kNone) {
    // Parents come before their children.
    while (a != b) {
      std::int32_t& later = a > b ? a : b;
      later = rows_[at(later)].parent;
    }
    if (a != kNone) table = static_cast<std::uint64_t>(rows_[at(a)].table);
  }
  return (high << 37) | (low << 10) | table;
}

/// A row without columns still has links.
double GroupCells::cost(std::int32_t row) const {
  double sum = 0;
  const std::int32_t end = first_[at(rows_[at(row)].person) + 1];
  std::vector<std::int32_t> below = {row};
  for (std::int32_t i = row; i < end; ++i) {
    const CellRow& of = rows_[at(i)];
    if (i > row && !std::binary_search(below.begin(), below.end(), of.parent)) continue;
    if (of.cell == kNone) continue;
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
    CellRow& of = rows_[at(i)];
    if (i > row && !std::binary_search(below.begin(), below.end(), of.parent)) continue;
    if (of.cell == kNone) continue;
    if (i > row) below.push_back(i);
    withheld_.emplace_back(i, of.cell);
    touched.push_back(of.cell);
    of.cell = kNone;
  }
  return sum;
}

}  // namespace anonkit
