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
// repair, with all that hangs on them, so it ends. A repair counts the patterns of one cell after
// another, by the other row's cell and the depth of the lowest common row, which identifies its
// table.
//
//   GroupCells cells(records, promises);
//   const double loss = cells.take(persons, count, loss_of_others, ticker);
//   for (std::size_t i = 0; i < cells.rows().size(); ++i) ...  // cells.cells_of_rows()[i]

#include <cstdint>
#include <limits>
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
};

/// The persons who support each pattern, by number. Clearing takes time for those counted alone.
class PatternSupport {
 public:
  /// Forgets all patterns. There may be so many numbers; patterns with fewer than k persons are
  /// rare.
  void clear(std::int32_t k, std::size_t patterns);
  /// Adds a person to a pattern. Persons come one after another.
  void add(std::size_t pattern, std::int32_t person) {
    Support& support = supports_[pattern];
    if (support.last == person) return;
    support.last = person;
    if (++support.persons == 1) {
      used_.push_back(pattern);
      ++rare_;
    }
    if (support.persons == k_) --rare_;
  }
  std::int32_t persons(std::size_t pattern) const { return supports_[pattern].persons; }
  std::int64_t rare() const { return rare_; }

 private:
  struct Support {
    std::int32_t persons = 0;
    std::int32_t last = kNone;
  };

  std::vector<Support> supports_;
  std::vector<std::size_t> used_;
  std::int32_t k_ = 1;
  std::int64_t rare_ = 0;
};

/// The loss of the cell of some rows in one column.
class CellLoss {
 public:
  /// Adds a row by its coordinate, if the condition is true. Without a branch, which no processor
  /// would foresee.
  void add_if(bool condition, double x) {
    // No comparison with null, which is no number, is true.
    const double added = condition ? x : kNull;
    low_ = added < low_ ? added : low_;
    high_ = added > high_ ? added : high_;
    rows_ += condition ? 1 : 0;
    nulls_ += condition && is_null(x) ? 1 : 0;
  }
  double of(const Domain& domain) const;

 private:
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
  std::int32_t rows_ = 0;
  std::int32_t nulls_ = 0;
};

/// Measures groups, one after another. Not to be shared by threads.
class GroupCells {
 public:
  GroupCells(const AlignedRecords& records, const LinkedPromises& promises);

  /// Divides the rows of a group of k persons or more. Returns the loss, as GroupMeasure does, or
  /// infinity if that is known to be no less than `limit`. For m = 2 a cut takes O(r s) time for r
  /// rows in the cell and s rows a person.
  double take(const std::int32_t* persons, std::int32_t count, double limit, Ticker& ticker);

  /// By person, parents first.
  const std::vector<CellRow>& rows() const { return rows_; }
  /// By row its cell, or kNone: withheld.
  const std::vector<std::int32_t>& cells_of_rows() const { return cell_of_; }
  std::int32_t cells() const { return static_cast<std::int32_t>(cells_.size()); }

  /// The bytes for a group with so many rows and pairs of rows of one person, if tables have up to
  /// so many columns and as many levels as there are tables.
  static double bytes(double pairs, double rows, std::size_t columns, std::size_t tables);

 private:
  struct Cell {
    std::int32_t table;
    std::vector<std::int32_t> rows;  ///< ascending places; some may have been withheld since
    double loss = 0;
    std::vector<GroupCut> cuts;  ///< with the fall of the loss, the best one first
  };
  void list_rows(const std::int32_t* persons, std::int32_t count, Ticker& ticker);
  void list_values(Ticker& ticker);
  void list_common_rows(Ticker& ticker);
  double root_loss(const std::int32_t* persons, std::int32_t count, Ticker& ticker) const;
  double withheld_loss() const;
  void make_kinds();
  void divide(Ticker& ticker);
  bool try_cuts(std::int32_t c, Ticker& ticker);
  void propose(std::int32_t c, Ticker& ticker);
  double loss_of(const Cell& cell, Ticker& ticker) const;
  double fall_of(const GroupCut& cut, const Cell& cell, const std::vector<const double*>& values,
                 Ticker& ticker) const;
  bool apply(std::int32_t c, const GroupCut& cut, Ticker& ticker);
  void undo(std::int32_t c);
  bool repair(std::vector<std::int32_t> dirty, double budget, Ticker& ticker);
  double withhold_rare(std::int32_t c, double budget, std::vector<std::int32_t>& touched,
                       Ticker& ticker);
  template <class Take>
  void for_each_pattern(std::int32_t c, Ticker& ticker, Take take) const;
  double cost(std::int32_t row) const;
  double withhold(std::int32_t row, std::vector<std::int32_t>& touched);
  std::vector<std::int32_t> published(const Cell& cell) const;
  const double* values_of(std::int32_t row) const { return values_.data() + first_value_[at(row)]; }

  const AlignedRecords& records_;
  LinkedPromises promises_;
  std::vector<std::int32_t> kind_of_slot_;
  std::int32_t kinds_ = 0;
  std::int32_t depth_ = 0;  ///< tables below the root on the longest path
  std::vector<CellRow> rows_;
  std::vector<std::int32_t> cell_of_;      ///< by row
  std::vector<std::int32_t> kind_of_;      ///< by row
  std::vector<std::int32_t> first_;        ///< by person, into rows_
  std::vector<double> values_;             ///< the rows' coordinates
  std::vector<std::size_t> first_value_;   ///< by row, into values_
  std::vector<std::uint16_t> common_;      ///< by person and two rows: see list_common_rows
  std::vector<std::size_t> first_common_;  ///< by person, into common_
  std::vector<Cell> cells_;
  std::vector<std::int32_t> turn_;  ///< by cell its place in a repair, from 1; 0: takes no part
  std::vector<std::pair<std::int32_t, std::int32_t>> withheld_;  ///< rows and their cells, to undo
  PatternSupport support_;
};

}  // namespace anonkit
