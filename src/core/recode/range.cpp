#include <algorithm>
#include <utility>

#include "recode/grid_ruler.hpp"
#include "recode/range.hpp"
#include "recode/recoding.hpp"

namespace anonkit {

namespace {

/// To the ends of the places of the column's grid that hold them.
void move_outward(const Column& column, double& low, double& high) {
  const GridRuler ruler(column);
  low = ruler.first(ruler.place(low));
  high = ruler.last(ruler.place(high));
}

}  // namespace

void mask_range(const Table& table, const RecordSpan& rows, std::size_t j, Masked& masked,
                std::size_t cell) {
  const Extremes e = extremes_of(table, rows, j);
  masked.low[cell] = e.low;
  masked.high[cell] = e.high;
  if (table.columns[j].attribute.kind == Kind::numeric) {
    if (table.columns[j].width > 0 && !is_null(e.low))
      move_outward(table.columns[j], masked.low[cell], masked.high[cell]);
    return;
  }
  auto codes = codes_of(table, rows, j);
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  masked.sets[cell] = std::move(codes);
}

namespace {

/// The smallest to the largest value; of categories all that occur.
constexpr Recoding row_of_range() {
  Recoding row;
  row.name = "range";
  row.by_range = true;
  row.of_numbers = "range of the class";
  row.of_categories = "lowest common label";
  row.remaining_risk =
      "The ends of a range are values that somebody of the class has. An extreme end may be known "
      "to be somebody's.";
  row.mask = mask_range;
  return row;
}

}  // namespace

constexpr Recoding kRangeRecoding = row_of_range();

}  // namespace anonkit
