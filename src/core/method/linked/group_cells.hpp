#pragma once

// The published rows of a group of persons for P(k, m), m = 1 or 2: cells are a function of a row's
// values. All persons of the group share the root's cell, and their trees may differ. It is the
// linked form of (k,k^m)-anonymity (Poulis et al. 2013), with the cuts of top-down local
// generalisation (He and Naughton 2009).
//
// A kind is a table together with the tables above a row, since rows without a parent hang on the
// person. A pattern is a cell, or for m = 2 also two cells of one person's rows and the table of
// their lowest common row. Cells of a kind never mix with those of another one, so this identifies
// all links. Invariant after take(): k persons or more support each pattern that occurs.
//
// Phases: one cell a kind; then the cut with the greatest fall of the loss, as long as it costs
// less than it gains to withhold the rows whose patterns became rare. Rows only leave during such a
// repair, with all that hangs on them, so it ends.
//
//   GroupCells cells(records, promises);
//   const double loss = cells.take(persons, count, ticker);
//   for (const CellRow& row : cells.rows()) ...  // row.cell, or kNone: withheld

#include <cstdint>
#include <vector>

#include "method/linked/aligned_group.hpp"
#include "method/linked/group_cuts.hpp"

namespace anonkit {

/// A row of a person of the group, but the root's.
struct CellRow {
  std::int32_t table;
  std::int32_t row;
  std::int32_t person;  ///< its place in the group
  std::int32_t parent;  ///< its place among the rows, which is lower; kNone: the person
  std::int32_t cell;    ///< kNone: withheld
};

/// The persons who support each pattern, by open addressing: clearing it takes no time.
class PatternSupport {
 public:
  static constexpr double kBytesPerPattern = 96;  // of a table that is a quarter full or more

  /// Forgets all patterns. Those with fewer than k persons are rare.
  void clear(std::int32_t k);
  /// Adds a person to a pattern. Persons come one after another.
  void add(std::uint64_t pattern, std::int32_t person);
  std::int32_t persons(std::uint64_t pattern) const;
  std::int64_t rare() const { return rare_; }

 private:
  struct Slot {
    std::uint64_t pattern = 0;
    std::uint32_t epoch = 0;  ///< of another one than the present: free
    std::int32_t persons = 0;
    std::int32_t last = kNone;
  };

  std::size_t place_of(std::uint64_t pattern) const;
  void grow();

  std::vector<Slot> slots_;
  std::uint32_t epoch_ = 0;
  std::size_t used_ = 0;
  std::int32_t k_ = 1;
  std::int64_t rare_ = 0;
};

/// Measures groups, one after another. Not to be shared by threads.
class GroupCells {
 public:
  GroupCells(const AlignedRecords& records, const LinkedPromises& promises);

  /// Divides the rows of a group of k persons or more. Returns the loss, as GroupMeasure does. For
  /// m = 2 a cut takes O(r s) time for r rows in the cell and s rows a person.
  double take(const std::int32_t* persons, std::int32_t count, Ticker& ticker);

  /// By person, parents first.
  const std::vector<CellRow>& rows() const { return rows_; }
  std::int32_t cells() const { return static_cast<std::int32_t>(cells_.size()); }

 private:
  struct Cell {
    std::int32_t table;
    std::vector<std::int32_t> rows;  ///< places; some may have been withheld since
    double loss = 0;
    std::vector<GroupCut> cuts;  ///< with the fall of the loss, the best one first
  };
  void list_rows(const std::int32_t* persons, std::int32_t count, Ticker& ticker);
  void make_kinds();
  void divide(Ticker& ticker);
  bool try_cuts(std::int32_t c, Ticker& ticker);
  void propose(std::int32_t c, Ticker& ticker);
  double loss_of(std::int32_t table, const std::vector<std::int32_t>& rows, Ticker& ticker) const;
  bool apply(std::int32_t c, const GroupCut& cut, Ticker& ticker);
  void undo(std::int32_t c);
  bool repair(std::vector<std::int32_t> dirty, double budget, Ticker& ticker);
  std::vector<std::int32_t> persons_in(const std::vector<std::int32_t>& cells) const;
  template <class Take>
  void for_each_pattern(const std::vector<std::int32_t>& persons, Ticker& ticker, Take take) const;
  std::uint64_t pattern(std::int32_t a, std::int32_t b) const;
  double cost(std::int32_t row) const;
  double withhold(std::int32_t row, std::vector<std::int32_t>& touched);
  std::vector<std::int32_t> published(const Cell& cell) const;

  const AlignedRecords& records_;
  LinkedPromises promises_;
  GroupMeasure root_;
  std::vector<std::int32_t> kind_of_slot_;
  std::int32_t kinds_ = 0;
  std::vector<CellRow> rows_;
  std::vector<std::int32_t> kind_of_;  ///< by row
  std::vector<std::int32_t> first_;    ///< by person, into rows_
  std::vector<Cell> cells_;
  std::vector<std::uint8_t> dirty_;                              ///< by cell
  std::vector<std::pair<std::int32_t, std::int32_t>> withheld_;  ///< rows and their cells, to undo
  PatternSupport support_;
};

}  // namespace anonkit
