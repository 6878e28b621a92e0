#pragma once

// Records of persons side by side: rows that stand for each other share a slot.
//
// A slot is a place in the tree of a record: a table, the slot of the parent row, and a number
// among the siblings. Siblings are numbered in the order of the quasi-identifier that varies most
// between siblings, then of the others, so that rows which resemble each other meet in one slot.
//
// Rows beyond a table's limit have no slot, nor have those that hang on them. The rows with one are
// spread evenly over the person's rows in the order of their slots, so quasi-identifiers alone
// decide which ones these are.
//
// Invariants: slots are numbered parents first. A person's rows are in the order of their slots.
// Persons are in an order by their rows, so that nothing depends on the order in which they were
// read. Memory: 16 bytes a row, and the coordinates.

#include <cstddef>
#include <vector>

#include "base/ticker.hpp"
#include "method/linked/linked_tables.hpp"
#include "recode/generalisation.hpp"

namespace anonkit {

struct Slot {
  std::int32_t table = 0;
  std::int32_t parent = kNone;  ///< a slot; kNone for that of the root's row
  std::int32_t number = 0;      ///< among the siblings of the table
  std::int32_t first_cell = 0;  ///< of its columns, among those of all slots
};

/// A row of a person. In the first table, it is the person.
struct SlotRow {
  std::int32_t slot;
  std::int32_t row;
};

struct SlotRows {
  const SlotRow* first;
  const SlotRow* last;

  const SlotRow* begin() const { return first; }
  const SlotRow* end() const { return last; }
  /// The row in a slot, or kNone. O(log rows).
  std::int32_t row_in(std::int32_t slot) const;
};

class AlignedRecords {
 public:
  /// Keeps a reference to the tables. O(n log n) for n rows.
  AlignedRecords(const LinkedTables& linked, Ticker& ticker);

  const LinkedTables& linked() const { return linked_; }
  const std::vector<Slot>& slots() const { return slots_; }
  const Slot& slot(std::int32_t s) const { return slots_[static_cast<std::size_t>(s)]; }
  /// Columns of all slots.
  std::int32_t cells() const { return cells_; }
  std::int32_t columns_of(std::int32_t table) const {
    return coordinates_[static_cast<std::size_t>(table)].columns;
  }
  const Domain& domain(std::int32_t table, std::int32_t column) const;
  /// The generalisation coordinates of a row; null is NaN.
  const double* coordinates(std::int32_t table, std::int32_t row) const {
    const Coordinates& of = coordinates_[static_cast<std::size_t>(table)];
    return of.values.data() + std::ptrdiff_t{row} * of.columns;
  }
  /// Without rows that have no slot. Empty for an absent person.
  SlotRows rows_of(std::int32_t person) const {
    const std::size_t* first = first_.data() + person;
    return {rows_.data() + first[0], rows_.data() + first[1]};
  }
  /// The persons who take part, by their rows.
  const std::vector<std::int32_t>& order() const { return order_; }

 private:
  struct Coordinates {
    std::int32_t columns = 0;
    std::vector<double> values;  ///< row-major
    std::vector<Domain> domains;
  };

  void take_coordinates(Ticker& ticker);
  std::vector<std::int32_t> order_of_columns(std::int32_t table,
                                             const std::vector<std::int32_t>& siblings,
                                             Ticker& ticker) const;
  Fingerprint drawn(std::int32_t table, std::int32_t row) const;
  std::vector<std::int32_t> sorted_siblings(std::int32_t table, Ticker& ticker) const;
  void assign_slots(Ticker& ticker);
  void limit_rows(std::int32_t table, const std::vector<std::int32_t>& parent_slot,
                  std::vector<std::int32_t>& rows, Ticker& ticker) const;
  void list_rows(const std::vector<std::vector<std::int32_t>>& slot_of, Ticker& ticker);
  void order_persons(Ticker& ticker);
  int compare_rows(std::int32_t table, std::int32_t a, std::int32_t b,
                   const std::vector<std::int32_t>& columns) const;
  bool precedes(std::int32_t a, std::int32_t b, Ticker& ticker) const;

  const LinkedTables& linked_;
  std::vector<Coordinates> coordinates_;  ///< by table
  std::vector<Slot> slots_;
  std::int32_t cells_ = 0;
  std::vector<std::size_t> first_;  ///< by person, into rows_
  std::vector<SlotRow> rows_;
  std::vector<std::int32_t> order_;
};

}  // namespace anonkit
