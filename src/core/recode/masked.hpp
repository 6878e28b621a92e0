#pragma once

// The published cells of the quasi-identifiers: one row per class, one cell per column.
//
// Phases: recode() computes the cells, round_cells() fits them to the columns' types, and
// join_equal_rows() unites classes with equal cells. Invariant: cells depend on the members of a
// class alone, until a recoding adjusts them (recoding.hpp). Memory O(classes x columns), and the
// sets.
//
//   Masked masked = published_cells(table, members_of(partition), Recode::range, ticker);
//   join_equal_rows(masked, partition, ticker);
//   masked.low[c * columns + j];  // the smallest value of class c in column j

#include <cstdint>
#include <vector>

#include "base/options.hpp"
#include "base/ticker.hpp"
#include "partition/partition.hpp"
#include "table/table.hpp"

namespace anonkit {

/// Published cells, row-major.
struct Masked {
  /// classes x columns: the centroid's or median's value or code; under range recoding, the
  /// smallest value of the class. Null is NaN.
  std::vector<double> low;
  /// classes x columns, empty for centroids: the largest value of the class.
  std::vector<double> high;
  /// classes x columns, empty for centroids: the codes of a categorical cell, ascending. No codes
  /// for numbers and for cells with a level.
  std::vector<std::vector<std::int32_t>> sets;
  /// classes x columns, only under hierarchy recoding: the published level of the column's
  /// hierarchy, and then `low` is the group there; kNoLevel for a cell without one.
  std::vector<std::int32_t> levels;
};
constexpr std::int32_t kNoLevel = -1;

/// Masks every class of `members` (lists of rows of the table).
///   centroid   mean of numbers, lower median of ordinal codes, lowest mode of nominal codes
///   median     lower median of numbers, otherwise the centroid
///   range      smallest to largest value
///   hierarchy  lowest common ancestor of the values; the range in a column without a hierarchy
/// A numeric cell without a hierarchy is null if any record of the class is null there, which
/// suppresses the others' values. `threads` recode the classes. O(rows x columns).
Masked recode(const Table& table, const Members& members, Recode how, Ticker& ticker,
              int threads = 1);

/// Unites classes whose cells are equal, for instance after rounding: readers cannot distinguish
/// them. The united class keeps the cells. Two classes with equal mean, median or mode share it
/// with their union, and so with ranges and common ancestors. O(classes * columns * log).
void join_equal_rows(Masked& masked, Partition& partition, Ticker& ticker, int threads = 1);

/// Rounds the numeric cells to their columns' types.
void round_cells(const Table& table, Masked& masked);

/// The cells as published: recode(), rounded to the columns' types.
Masked published_cells(const Table& table, const Members& members, Recode how, Ticker& ticker,
                       int threads = 1);

/// One cell of centroid recoding: column j over the members of class c.
double centroid_cell(const Table& table, const Members& members, std::size_t c, std::size_t j);

/// The number of records of each row of cells, and of suppressed records.
struct CellRecords {
  std::vector<Record> of_row;
  std::int64_t suppressed = 0;
};

/// `cells_of`: by record, its row of cells out of `rows`, or kNone. O(records).
CellRecords count_records(const std::vector<std::int32_t>& cells_of, std::size_t rows,
                          Ticker& ticker);

/// The number of numeric cells with a value in the table and null in the release.
std::int64_t count_suppressed_cells(const Table& table, const Members& members,
                                    const Masked& masked);

}  // namespace anonkit
