#include "metric/ncp.hpp"

#include <algorithm>

#include "partition/partition.hpp"
#include "recode/generalisation.hpp"

namespace anonkit {
namespace {

/// One column's cells.
class ColumnNcp {
 public:
  ColumnNcp(const Table& table, const Masked& masked, std::size_t column, Ticker& ticker)
      : table_(table), masked_(masked), j_(column), column_(table.columns[column]) {
    extent_ = domain_extent(table, column, ticker);
    span_ = extent_.high - extent_.low;
  }

  /// The penalty of a cell that is not null.
  double cell(std::size_t row) const {
    const std::size_t at = row * table_.columns.size() + j_;
    if (!masked_.levels.empty() && masked_.levels[at] != kNoLevel)
      return column_.hierarchy->ncp(masked_.levels[at], static_cast<std::int32_t>(masked_.low[at]));
    if (!(span_ > 0)) return 0;
    if (column_.attribute.kind == Kind::numeric)
      return (std::min(masked_.high[at], extent_.high) - std::max(masked_.low[at], extent_.low)) /
             span_;
    const std::vector<std::int32_t>& set = masked_.sets[at];
    return (column_.attribute.kind == Kind::ordinal ? set.back() - set.front()
                                                    : static_cast<double>(set.size() - 1)) /
           span_;
  }

  bool is_empty(std::size_t row) const {
    return is_null(masked_.low[row * table_.columns.size() + j_]);
  }
  bool had_value(Record row) const { return !is_null(table_.value(row, j_)); }
  /// A hierarchy of one value loses nothing at its top, and so nothing without the record.
  bool loses_by_suppression() const {
    return column_.hierarchy == nullptr || column_.hierarchy->values() > 1;
  }

 private:
  const Table& table_;
  const Masked& masked_;
  std::size_t j_;
  const Column& column_;
  Extent extent_;  ///< of a box of a public grid counts what lies in here
  double span_;
};

}  // namespace

// Counts records before it sums, so that the result does not depend on the order of the rows.
double mean_ncp(const Table& table, const std::vector<std::int32_t>& cells_of, const Masked& masked,
                Ticker& ticker, std::int64_t absent) {
  if (masked.high.empty() && masked.levels.empty()) return kNull;
  const std::size_t d = table.columns.size();
  const CellRecords records = count_records(cells_of, masked.low.size() / d, ticker);
  std::int64_t suppressed = 0;
  double sum = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const ColumnNcp column(table, masked, j, ticker);
    if (column.loses_by_suppression()) suppressed += records.suppressed - absent;
    bool blanks = false;
    for (std::size_t row = 0; row < records.of_row.size(); ++row) {
      ticker.step(8);
      if (column.is_empty(row))
        blanks = true;
      else
        sum += records.of_row[row] * column.cell(row);
    }
    if (!blanks || !column.loses_by_suppression()) continue;
    for (std::size_t i = 0; i < cells_of.size(); ++i) {
      ticker.step(4);
      if (cells_of[i] != kNone && column.is_empty(static_cast<std::size_t>(cells_of[i])) &&
          column.had_value(static_cast<Record>(i)))
        ++suppressed;
    }
  }
  return (sum + static_cast<double>(suppressed)) /
         ((static_cast<double>(cells_of.size()) - static_cast<double>(absent)) *
          static_cast<double>(d));
}

}  // namespace anonkit
