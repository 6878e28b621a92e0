#include "recode/masked.hpp"

#include <algorithm>
#include <utility>

#include "base/threaded_sort.hpp"
#include "recode/recoding.hpp"

namespace anonkit {
namespace {

// High, since a class's rows lie at random in the table.
constexpr std::int64_t kWorkOfCell = 80;
}  // namespace

Masked recode(const Table& table, const Members& members, Recode how, Ticker& ticker, int threads) {
  const std::size_t d = table.columns.size(), classes = members.classes();
  const Recoding& form = recoding(how);
  Masked masked;
  masked.low.resize(classes * d);
  if (!form.keeps_type) {
    masked.high.resize(classes * d);
    masked.sets.resize(classes * d);
  }
  if (form.by_hierarchy) masked.levels.assign(classes * d, kNoLevel);
  run_chunks(classes, threads, ticker, [&](std::size_t begin, std::size_t end, Ticker& own) {
    for (std::size_t cell = begin * d; cell < end * d; ++cell) {
      const RecordSpan rows = members.of(cell / d);
      own.step(kWorkOfCell * static_cast<std::int64_t>(rows.size()));
      form.mask(table, rows, cell % d, masked, cell);
    }
  });
  return masked;
}

namespace {

/// The first cell beside its row, so that most comparisons stay in the cache.
struct RowKey {
  double first;
  ClassId row;
};

/// The order of two rows of cells; null comes last and equals null.
class RowOrder {
 public:
  RowOrder(const Masked& masked, std::size_t width) : masked_(masked), width_(width) {}

  int compare(const RowKey& a, const RowKey& b) const {
    const int order = compare_numbers(a.first, b.first);
    return order != 0 ? order : compare(a.row, b.row);
  }

 private:
  int compare(ClassId a, ClassId b) const {
    for (std::size_t j = 0; j < width_; ++j) {
      const std::size_t x = at(a) * width_ + j, y = at(b) * width_ + j;
      if (const int order = compare_cells(masked_.low, x, y)) return order;
      if (const int order = compare_cells(masked_.high, x, y)) return order;
      if (const int order = compare_cells(masked_.levels, x, y)) return order;
      if (const int order = compare_cells(masked_.sets, x, y)) return order;
    }
    return 0;
  }

  template <class Cell>
  static int compare_cells(const std::vector<Cell>& cells, std::size_t x, std::size_t y) {
    if (cells.empty()) return 0;
    return static_cast<int>(cells[y] < cells[x]) - static_cast<int>(cells[x] < cells[y]);
  }

  static int compare_cells(const std::vector<double>& cells, std::size_t x, std::size_t y) {
    return cells.empty() ? 0 : compare_numbers(cells[x], cells[y]);
  }

  const Masked& masked_;
  std::size_t width_;
};

/// The entries of the listed classes.
template <class Cell>
void keep_rows(std::vector<Cell>& cells, const std::vector<ClassId>& classes, std::size_t width) {
  if (cells.empty()) return;
  std::vector<Cell> kept;
  kept.reserve(classes.size() * width);
  for (const ClassId c : classes)
    for (std::size_t j = 0; j < width; ++j) kept.push_back(std::move(cells[at(c) * width + j]));
  cells = std::move(kept);
}

}  // namespace

void join_equal_rows(Masked& masked, Partition& partition, Ticker& ticker, int threads) {
  if (partition.classes == 0) return;
  const std::size_t width = masked.low.size() / at(partition.classes);
  const RowOrder order(masked, width);
  std::vector<RowKey> sorted;
  sorted.reserve(at(partition.classes));
  for (ClassId c = 0; c < partition.classes; ++c) sorted.push_back({masked.low[at(c) * width], c});
  sort_in_threads(sorted, threads, ticker, [&](const RowKey& a, const RowKey& b, Ticker& own) {
    own.step(8);
    const int rows = order.compare(a, b);
    return rows != 0 ? rows < 0 : a.row < b.row;
  });
  std::vector<ClassId> joined(sorted.size());  // by class: the first equal class
  for (std::size_t i = 0; i < sorted.size(); ++i)
    joined[at(sorted[i].row)] = i > 0 && order.compare(sorted[i - 1], sorted[i]) == 0
                                    ? joined[at(sorted[i - 1].row)]
                                    : sorted[i].row;
  std::vector<ClassId> kept, number(sorted.size());
  for (ClassId c = 0; c < partition.classes; ++c) {
    if (joined[at(c)] == c) kept.push_back(c);
    number[at(c)] =
        joined[at(c)] == c ? static_cast<ClassId>(kept.size()) - 1 : number[at(joined[at(c)])];
  }
  if (kept.size() == number.size()) return;
  for (ClassId& c : partition.class_of) c = c == kNone ? c : number[at(c)];
  partition.classes = static_cast<ClassId>(kept.size());
  keep_rows(masked.low, kept, width);
  keep_rows(masked.high, kept, width);
  keep_rows(masked.sets, kept, width);
  keep_rows(masked.levels, kept, width);
}

void round_cells(const Table& table, Masked& masked) {
  const std::size_t d = table.columns.size();
  for (std::size_t cell = 0; cell < masked.low.size(); ++cell) {
    const Column& column = table.columns[cell % d];
    if (column.attribute.kind == Kind::numeric && !is_null(masked.low[cell]))
      masked.low[cell] = round_to(column.rounding, masked.low[cell]);
  }
}

Masked published_cells(const Table& table, const Members& members, Recode how, Ticker& ticker,
                       int threads) {
  Masked masked = recode(table, members, how, ticker, threads);
  if (recoding(how).keeps_type) round_cells(table, masked);
  return masked;
}

CellRecords count_records(const std::vector<std::int32_t>& cells_of, std::size_t rows,
                          Ticker& ticker) {
  CellRecords records;
  records.of_row.assign(rows, 0);
  for (const std::int32_t row : cells_of) {
    ticker.step(2);
    if (row == kNone)
      ++records.suppressed;
    else
      ++records.of_row[static_cast<std::size_t>(row)];
  }
  return records;
}

std::int64_t count_suppressed_cells(const Table& table, const Members& members,
                                    const Masked& masked) {
  const std::size_t d = table.columns.size();
  std::int64_t suppressed = 0;
  for (std::size_t cell = 0; cell < masked.low.size(); ++cell) {
    if (!is_null(masked.low[cell])) continue;
    const RecordSpan rows = members.of(cell / d);
    suppressed += std::count_if(rows.begin(), rows.end(),
                                [&](Record i) { return !is_null(table.value(i, cell % d)); });
  }
  return suppressed;
}

}  // namespace anonkit
