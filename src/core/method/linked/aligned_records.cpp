#include "method/linked/aligned_records.hpp"

#include <algorithm>
#include <numeric>

#include "base/at.hpp"
#include "base/random.hpp"

namespace anonkit {
namespace {

// Penalties, 0 to 1, count in whole steps, so that sums do not depend on the order of the rows.
constexpr double kStepsOfPenalty = 1 << 20;

/// Rows of one parent. Those without one hang on the person.
struct Above {
  std::int32_t person;
  std::int32_t parent;
  bool operator==(const Above& other) const {
    return person == other.person && parent == other.parent;
  }
};

Above above(const LinkedTable& table, std::int32_t row) {
  return {table.person[row], table.parent > 0 ? table.parent_row[row] : kNone};
}

}  // namespace

std::int32_t SlotRows::row_in(std::int32_t slot) const {
  const SlotRow* found = std::lower_bound(
      first, last, slot, [](const SlotRow& row, std::int32_t s) { return row.slot < s; });
  return found != last && found->slot == slot ? found->row : kNone;
}

AlignedRecords::AlignedRecords(const LinkedTables& linked, Ticker& ticker) : linked_(linked) {
  take_coordinates(ticker);
  assign_slots(ticker);
  order_persons(ticker);
}

const Domain& AlignedRecords::domain(std::int32_t table, std::int32_t column) const {
  return coordinates_[at(table)].domains[at(column)];
}

void AlignedRecords::take_coordinates(Ticker& ticker) {
  for (const LinkedTable& of : linked_.tables) {
    Coordinates& own = coordinates_.emplace_back();
    if (of.table->columns.empty() || of.table->rows == 0) continue;
    std::vector<Record> rows(at(of.table->rows));
    std::iota(rows.begin(), rows.end(), 0);
    std::vector<std::size_t> columns(of.table->columns.size());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    const GeneralisationSpace space =
        generalisation_space(*of.table, rows, columns, Recode::hierarchy, ticker);
    for (int j = 0; j < space.dimension(); ++j) own.domains.push_back(space.domain(j));
    own.columns = space.dimension();
    own.values.assign(space.row(0), space.row(0) + rows.size() * columns.size());
  }
}

int AlignedRecords::compare_rows(std::int32_t table, std::int32_t a, std::int32_t b,
                                 const std::vector<std::int32_t>& columns) const {
  const double* x = coordinates(table, a);
  const double* y = coordinates(table, b);
  for (const std::int32_t j : columns)
    if (const int order = compare_numbers(x[j], y[j])) return order;
  return 0;
}

/// The columns by their mean penalty between rows of one parent, the most varying first.
std::vector<std::int32_t> AlignedRecords::order_of_columns(
    std::int32_t table, const std::vector<std::int32_t>& siblings, Ticker& ticker) const {
  const LinkedTable& of = linked_.tables[at(table)];
  std::vector<double> varies(at(columns_of(table)));
  for (std::size_t i = 1; i < siblings.size(); ++i) {
    ticker.step(8 * static_cast<std::int64_t>(varies.size()));
    if (!(above(of, siblings[i - 1]) == above(of, siblings[i]))) continue;
    const double* x = coordinates(table, siblings[i - 1]);
    const double* y = coordinates(table, siblings[i]);
    for (std::size_t j = 0; j < varies.size(); ++j) {
      const bool nulls = is_null(x[j]) || is_null(y[j]);
      const double penalty = nulls ? static_cast<double>(is_null(x[j]) != is_null(y[j]))
                                   : domain(table, static_cast<std::int32_t>(j))
                                         .penalty(std::min(x[j], y[j]), std::max(x[j], y[j]));
      varies[j] += static_cast<double>(static_cast<std::int64_t>(penalty * kStepsOfPenalty));
    }
  }
  std::vector<std::int32_t> columns(varies.size());
  std::iota(columns.begin(), columns.end(), 0);
  std::stable_sort(columns.begin(), columns.end(),
                   [&](std::int32_t a, std::int32_t b) { return varies[at(a)] > varies[at(b)]; });
  return columns;
}

/// A random number of a row, equal in any order of the rows. Fingerprints are sums over columns,
/// with those that refer to the person, so each value would come first for nearly all persons.
Fingerprint AlignedRecords::drawn(std::int32_t table, std::int32_t row) const {
  const LinkedTable& of = linked_.tables[at(table)];
  if (of.table->fingerprints == nullptr) return {0, 0};
  const Fingerprint& given = of.table->fingerprints[row];
  return {mix(given[0]), mix(given[1])};
}

/// The rows of a table, but those of absent persons and those left out, by person and parent,
/// siblings in the order of their slots.
std::vector<std::int32_t> AlignedRecords::sorted_siblings(std::int32_t table,
                                                          Ticker& ticker) const {
  const LinkedTable& of = linked_.tables[at(table)];
  std::vector<std::int32_t> rows;
  for (std::int32_t row = 0; row < of.table->rows; ++row)
    if (linked_.is_present(of.person[row]) && !of.is_left_out(row)) rows.push_back(row);
  std::vector<std::int32_t> columns(at(columns_of(table)));
  std::iota(columns.begin(), columns.end(), 0);
  const auto sort = [&] {
    std::sort(rows.begin(), rows.end(), [&](std::int32_t a, std::int32_t b) {
      ticker.step(16);
      const Above x = above(of, a);
      const Above y = above(of, b);
      if (x.person != y.person) return x.person < y.person;
      if (x.parent != y.parent) return x.parent < y.parent;
      if (const int order = compare_rows(table, a, b, columns)) return order < 0;
      const Fingerprint own = drawn(table, a);
      const Fingerprint other = drawn(table, b);
      return own != other ? own < other : a < b;
    });
  };
  sort();
  columns = order_of_columns(table, rows, ticker);
  sort();
  return rows;
}

/// Leaves those rows of each person that the limit of a table admits. `rows` are sorted siblings.
void AlignedRecords::limit_rows(std::int32_t table, const std::vector<std::int32_t>& parent_slot,
                                std::vector<std::int32_t>& rows, Ticker& ticker) const {
  const LinkedTable& of = linked_.tables[at(table)];
  if (of.most_rows == 0) return;
  std::size_t kept = 0;
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    ticker.step(16);
    while (end < rows.size() && of.person[rows[end]] == of.person[rows[begin]]) ++end;
    const std::size_t n = end - begin;
    const std::size_t most = std::min(n, at(of.most_rows));
    // Siblings come in the order of their parents' rows, which is that of the source.
    const auto own = rows.begin() + static_cast<std::ptrdiff_t>(begin);
    if (n > most)
      std::stable_sort(
          own, own + static_cast<std::ptrdiff_t>(n),
          [&](std::int32_t a, std::int32_t b) { return parent_slot[at(a)] < parent_slot[at(b)]; });
    for (std::size_t i = 0; i < most; ++i)
      rows[kept++] = rows[begin + (2 * i + 1) * n / (2 * most)];
  }
  rows.resize(kept);
}

void AlignedRecords::assign_slots(Ticker& ticker) {
  std::vector<std::vector<std::int32_t>> slot_of;  // by table and row
  slots_.push_back({});
  cells_ = columns_of(0);
  std::vector<std::int32_t>& of_root = slot_of.emplace_back(at(linked_.persons), 0);
  for (std::int32_t person = 0; person < linked_.persons; ++person)
    if (!linked_.is_present(person)) of_root[at(person)] = kNone;
  for (std::int32_t t = 1; t < static_cast<std::int32_t>(linked_.tables.size()); ++t) {
    const LinkedTable& of = linked_.tables[at(t)];
    std::vector<std::int32_t> parent_slot(at(of.table->rows));
    for (std::int32_t row = 0; row < of.table->rows; ++row) {
      const std::int32_t parent = above(of, row).parent;
      parent_slot[at(row)] = parent == kNone ? 0 : slot_of[at(of.parent)][at(parent)];
    }
    std::vector<std::int32_t> rows = sorted_siblings(t, ticker);
    rows.erase(std::remove_if(rows.begin(), rows.end(),
                              [&](std::int32_t row) { return parent_slot[at(row)] == kNone; }),
               rows.end());
    limit_rows(t, parent_slot, rows, ticker);
    // Slots by parent and number: first counted, then numbered in that order.
    std::vector<std::int32_t> number(at(of.table->rows));
    std::vector<std::int32_t> most(slots_.size(), 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ticker.step(8);
      const bool sibling = i > 0 && above(of, rows[i - 1]) == above(of, rows[i]);
      number[at(rows[i])] = sibling ? number[at(rows[i - 1])] + 1 : 0;
      std::int32_t& count = most[at(parent_slot[at(rows[i])])];
      count = std::max(count, number[at(rows[i])] + 1);
    }
    std::vector<std::int32_t> first(most.size());
    for (std::size_t s = 0; s < most.size(); ++s) {
      first[s] = static_cast<std::int32_t>(slots_.size());
      for (std::int32_t i = 0; i < most[s]; ++i) {
        slots_.push_back({t, static_cast<std::int32_t>(s), i, cells_});
        cells_ += columns_of(t);
      }
    }
    std::vector<std::int32_t>& own = slot_of.emplace_back(at(of.table->rows), kNone);
    for (const std::int32_t row : rows)
      own[at(row)] = first[at(parent_slot[at(row)])] + number[at(row)];
  }
  list_rows(slot_of, ticker);
}

void AlignedRecords::list_rows(const std::vector<std::vector<std::int32_t>>& slot_of,
                               Ticker& ticker) {
  first_.assign(at(linked_.persons) + 1, 0);
  const auto for_each_row = [&](auto take) {
    for (std::size_t t = 0; t < slot_of.size(); ++t)
      for (std::size_t row = 0; row < slot_of[t].size(); ++row) {
        ticker.step(4);
        if (slot_of[t][row] == kNone) continue;
        const auto number = static_cast<std::int32_t>(row);
        take(t == 0 ? number : linked_.tables[t].person[row], SlotRow{slot_of[t][row], number});
      }
  };
  for_each_row([&](std::int32_t person, const SlotRow&) { ++first_[at(person) + 1]; });
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  rows_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for_each_row([&](std::int32_t person, const SlotRow& row) { rows_[next[at(person)]++] = row; });
  for (std::int32_t person = 0; person < linked_.persons; ++person)
    std::sort(rows_.begin() + static_cast<std::ptrdiff_t>(first_[at(person)]),
              rows_.begin() + static_cast<std::ptrdiff_t>(first_[at(person) + 1]),
              [](const SlotRow& a, const SlotRow& b) { return a.slot < b.slot; });
}

bool AlignedRecords::precedes(std::int32_t a, std::int32_t b, Ticker& ticker) const {
  const SlotRows x = rows_of(a);
  const SlotRows y = rows_of(b);
  const std::ptrdiff_t rows = std::min(x.last - x.first, y.last - y.first);
  for (std::ptrdiff_t i = 0; i < rows; ++i) {
    ticker.step(16);
    if (x.first[i].slot != y.first[i].slot) return x.first[i].slot < y.first[i].slot;
    const std::int32_t table = slot(x.first[i].slot).table;
    const double* own = coordinates(table, x.first[i].row);
    const double* other = coordinates(table, y.first[i].row);
    for (std::int32_t j = 0; j < columns_of(table); ++j)
      if (const int order = compare_numbers(own[j], other[j])) return order < 0;
  }
  if (x.last - x.first != y.last - y.first) return x.last - x.first < y.last - y.first;
  const Fingerprint* keys = linked_.tables.front().table->fingerprints;
  if (keys != nullptr && keys[a] != keys[b]) return keys[a] < keys[b];
  return a < b;
}

void AlignedRecords::order_persons(Ticker& ticker) {
  for (std::int32_t person = 0; person < linked_.persons; ++person)
    if (linked_.is_present(person)) order_.push_back(person);
  std::sort(order_.begin(), order_.end(),
            [&](std::int32_t a, std::int32_t b) { return precedes(a, b, ticker); });
}

}  // namespace anonkit
