#pragma once

#include <cstdint>
#include <vector>

#include "base/options.hpp"
#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "table/table.hpp"

namespace anonkit {

/// What is published of the quasi-identifiers: one row a class, one cell a column.
struct Masked {
  /// classes x columns. The centroid's value or code; under range recoding the smallest value of
  /// the class. Null is NaN.
  std::vector<double> low;
  /// classes x columns, but for centroids: the largest value of the class.
  std::vector<double> high;
  /// classes x columns, but for centroids: the codes that a categorical cell stands for, in
  /// ascending order; empty for numbers, and for cells that have a level.
  std::vector<std::vector<std::int32_t>> sets;
  /// classes x columns, only under hierarchy recoding: the level of the column's hierarchy at which
  /// the cell is published, `low` then being its group there; kNoLevel for a cell without one.
  std::vector<std::int32_t> levels;
};
constexpr std::int32_t kNoLevel = -1;

/// Masks every class of `members` (lists of rows of the table). Centroid: mean of numbers, lower
/// median of ordinal codes, mode of nominal ones (the lowest code of several). Hierarchy: the
/// lowest common ancestor of the class's values, of a column that has no hierarchy its range. A
/// numeric cell without a hierarchy is null if it is null for any record of the class: the others'
/// are blanked. O(rows x columns).
Masked recode(const Table& table, const Members& members, Recode how, Ticker& ticker);

/// Joins classes whose cells came out equal, as rounding makes them: nobody can tell them apart.
/// The joined class has the same cells, for the mean, median and mode of two classes that agree in
/// them are theirs, and so is the range or the common ancestor. O(classes * columns * log).
void join_equal_rows(Masked& masked, Partition& partition);

/// Rounds the numeric cells as their columns demand.
void round_cells(const Table& table, Masked& masked);

/// What is published of classes: recode, as the columns' types hold it.
Masked published_cells(const Table& table, const Members& members, Recode how, Ticker& ticker);

/// One cell of centroid recoding: of column j over the members of class c.
double centroid_cell(const Table& table, const Members& members, std::size_t c, std::size_t j);

/// How many records each row of cells stands for, and how many are suppressed.
struct CellRecords {
  std::vector<Record> of_row;
  std::int64_t suppressed = 0;
};

/// `cells_of`: of each record its row of cells out of `rows`, or kNone. O(records).
CellRecords count_records(const std::vector<std::int32_t>& cells_of, std::size_t rows,
                          Ticker& ticker);

/// The numeric cells that hold a value in the table and null in the release.
std::int64_t count_suppressed_cells(const Table& table, const Members& members,
                                    const Masked& masked);

}  // namespace anonkit
