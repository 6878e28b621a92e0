#include "metric/cell_changes.hpp"

#include <cmath>

#include "base/at.hpp"

namespace anonkit {
namespace {

/// The published cell of one column in one row of cells.
struct Cell {
  double low;
  double high;
  bool is_label;  ///< at a level above 0, or several categories
};

Cell cell_at(const Masked& masked, std::size_t place, bool numeric) {
  const double low = masked.low[place];
  const bool labelled = !masked.levels.empty() && masked.levels[place] != kNoLevel;
  if (labelled) return {low, low, masked.levels[place] > 0};
  if (masked.high.empty()) return {low, low, false};
  if (numeric) return {low, masked.high[place], false};
  return {low, low, masked.sets[place].size() > 1};
}

/// The position of a value among those of the hierarchy, if cells of level 0 hold positions.
double comparable(const Table& table, const Masked& masked, std::size_t place, Record row,
                  std::size_t j) {
  const bool labelled = !masked.levels.empty() && masked.levels[place] != kNoLevel;
  return labelled ? table.columns[j].leaves[row] : table.value(row, j);
}

bool is_changed(const Cell& cell, double value) {
  if (cell.is_label) return true;
  if (is_null(value) || is_null(cell.low)) return is_null(value) != is_null(cell.low);
  return cell.low != value || cell.high != value;
}

/// Sums of a number over records.
struct Moments {
  double count = 0;
  double sum = 0;

  void add(double value) {
    if (is_null(value)) return;
    ++count;
    sum += value;
  }
  double mean() const { return count > 0 ? sum / count : kNull; }
};

double deviation_of(const Table& table, const std::vector<Record>& order, std::size_t j,
                    double mean) {
  Moments squares;
  for (const Record row : order) {
    const double away = table.value(row, j) - mean;
    squares.add(away * away);
  }
  return squares.count > 1 ? std::sqrt(squares.sum / (squares.count - 1)) : 0;
}

CellChanges changes_of(const Table& table, const std::vector<Record>& order,
                       const std::vector<std::int32_t>& cells_of, const Masked& masked,
                       std::size_t j, Ticker& ticker) {
  const bool numeric = table.columns[j].attribute.kind == Kind::numeric;
  Moments before;
  Moments after;
  std::int64_t published = 0;
  std::int64_t changed = 0;
  bool has_labels = false;
  for (const Record row : order) {
    ticker.step(30);
    if (numeric) before.add(table.value(row, j));
    if (cells_of[at(row)] == kNone) continue;
    const std::size_t place = at(cells_of[at(row)]) * table.columns.size() + j;
    const Cell cell = cell_at(masked, place, numeric);
    ++published;
    changed += is_changed(cell, comparable(table, masked, place, row, j)) ? 1 : 0;
    has_labels = has_labels || (!masked.levels.empty() && masked.levels[place] != kNoLevel);
    if (numeric) after.add((cell.low + cell.high) / 2);
  }
  CellChanges changes;
  if (published > 0)
    changes.changed = static_cast<double>(changed) / static_cast<double>(published);
  if (!numeric || has_labels || after.count == 0) return changes;
  const double deviation = deviation_of(table, order, j, before.mean());
  changes.mean_shift = deviation > 0 ? (after.mean() - before.mean()) / deviation : 0;
  return changes;
}

}  // namespace

std::vector<CellChanges> cell_changes(const Table& table, const std::vector<Record>& order,
                                      const std::vector<std::int32_t>& cells_of,
                                      const Masked& masked, Ticker& ticker) {
  std::vector<CellChanges> changes;
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    changes.push_back(changes_of(table, order, cells_of, masked, j, ticker));
  return changes;
}

}  // namespace anonkit
