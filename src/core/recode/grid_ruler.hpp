#pragma once

// The public grid of a column of numbers: places of one width, counted from 0.
//
// Invariants: places depend on the width alone, never on the values. The column must outlive the
// ruler. Memory: a few numbers.
//
//   const GridRuler ruler(column);                 // of width 5
//   ruler.last(ruler.place(23)) == 24;             // of integers

#include <cstdint>

#include "base/ticker.hpp"
#include "table/table.hpp"

namespace anonkit {

class GridRuler {
 public:
  /// The ruler of the column's width, or of the smallest distance of its numbers. Throws
  /// invalid_parameter if both are missing, or if the width is no multiple of that distance, or
  /// 2^63 times as large.
  explicit GridRuler(const Column& column);

  /// floor(x / width), by whole units where the numbers have one. Throws invalid_parameter if
  /// doubles cannot count that many places.
  std::int64_t place(double x) const;
  /// The smallest number of a place, rounded to the column's type.
  double first(std::int64_t place) const;
  /// The largest number of a place; where numbers have no smallest distance, the next place's
  /// first.
  double last(std::int64_t place) const;

 private:
  const Column* column_;
  double unit_;
  double width_;
};

/// True if ends of ranges go outward to the grid of a column.
bool has_outward_ends(const Table& table);

/// Throws like GridRuler if a column of that table has a width that does not serve it. O(rows) for
/// each such column.
void check_widths(const Table& table, Ticker& ticker);

}  // namespace anonkit
