#include "metric/information_loss.hpp"

#include <algorithm>
#include <numeric>

#include "recode/generalisation.hpp"

namespace anonkit {
namespace {

/// One column of one list of rows.
struct Cells {
  const Table& table;
  std::size_t column;
  const Record* first;
  const Record* last;
};

struct Extremes {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  std::ptrdiff_t nulls = 0;
};

Extremes extremes_of(const Cells& cells) {
  Extremes e;
  for (const Record* row = cells.first; row != cells.last; ++row) {
    const double value = cells.table.value(*row, cells.column);
    if (is_null(value)) {
      ++e.nulls;
      continue;
    }
    e.low = std::min(e.low, value);
    e.high = std::max(e.high, value);
  }
  return e;
}

/// The level of the lowest common ancestor, over the hierarchy's height.
double height_of(const Cells& cells, const Hierarchy& hierarchy, const std::int32_t* leaves) {
  std::int32_t level = 0;
  for (const Record* row = cells.first; row != cells.last; ++row)
    level = std::max(level, hierarchy.common_level(leaves[*cells.first], leaves[*row]));
  return static_cast<double>(level) / hierarchy.height();
}

/// The loss of each cell when all are generalised to one, 0 to 1.
double cell_loss(const Cells& cells, const Extremes& whole) {
  const Column& column = cells.table.columns[cells.column];
  const Extremes e = extremes_of(cells);
  if (e.nulls > 0) return e.nulls == cells.last - cells.first ? 0 : 1;
  if (column.hierarchy != nullptr) return height_of(cells, *column.hierarchy, column.leaves);
  if (e.low == e.high) return 0;
  // Halved, so that no range overflows.
  return column.attribute.kind == Kind::nominal
             ? 1
             : (e.high / 2 - e.low / 2) / (whole.high / 2 - whole.low / 2);
}

/// The loss of a column of labels. A sum of whole heights does not depend on the order of classes.
double loss_of_levels(const Table& table, const Members& members, const Masked& masked,
                      std::size_t j) {
  std::int64_t heights = 0;
  for (std::size_t c = 0; c < members.classes(); ++c)
    heights += std::int64_t{members.of(c).size()} * masked.levels[c * table.columns.size() + j];
  return static_cast<double>(heights) / table.columns[j].hierarchy->height();
}

/// The loss of a column of numbers, ranks or categories.
double loss_of_boxes(const Table& table, const Members& members, const Masked& masked,
                     std::size_t j, Ticker& ticker) {
  const Extent whole = domain_extent(table, j, ticker);
  const bool nominal = table.columns[j].attribute.kind == Kind::nominal;
  double loss = 0;
  for (std::size_t c = 0; c < members.classes(); ++c) {
    const std::size_t cell = c * table.columns.size() + j;
    const double low = std::max(masked.low[cell], whole.low);
    const double high = std::min(masked.high[cell], whole.high);
    if (!(high > low)) continue;
    loss += members.of(c).size() *
            (nominal ? 1 : (high / 2 - low / 2) / (whole.high / 2 - whole.low / 2));
  }
  return loss;
}

}  // namespace

InformationLoss information_loss(const Table& table, const Members& members, Ticker& ticker) {
  InformationLoss loss;
  std::vector<Record> everybody(static_cast<std::size_t>(table.rows));
  std::iota(everybody.begin(), everybody.end(), 0);
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    Extremes whole = extremes_of({table, j, everybody.data(), everybody.data() + everybody.size()});
    whole.high = std::max(whole.high, whole.low + table.columns[j].extent);
    for (const RecordSpan records : members) {
      ticker.step(32 * std::int64_t{records.size()});
      loss.total += records.size() * cell_loss({table, j, records.begin(), records.end()}, whole);
    }
  }
  const auto published = static_cast<double>(members.records.size());
  if (published > 0) loss.mean = loss.total / published;
  return loss;
}

InformationLoss information_loss_of_cells(const Table& table, const Members& members,
                                          const Masked& masked, Ticker& ticker) {
  InformationLoss loss;
  const std::size_t d = table.columns.size();
  for (std::size_t j = 0; j < d; ++j) {
    const bool levels = !masked.levels.empty() && table.columns[j].hierarchy != nullptr;
    ticker.step(4 * static_cast<std::int64_t>(members.classes()));
    loss.total += levels ? loss_of_levels(table, members, masked, j)
                         : loss_of_boxes(table, members, masked, j, ticker);
  }
  const auto published = static_cast<double>(members.records.size());
  if (published > 0) loss.mean = loss.total / published;
  return loss;
}

}  // namespace anonkit
