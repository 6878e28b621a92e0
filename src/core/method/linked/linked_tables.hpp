#pragma once

// Related tables as a method sees them, and the classes that it forms of their rows.
//
// Invariants: parents come before children. The first table has a row a person, in the order of the
// persons; if persons are above all tables that the user knows, it has no columns. Every row has
// one person. Categories have hierarchies, if only one of two levels.
//
//   LinkedTables linked = {{{&persons}, {&visits, 0, visitors, visitors}}, 200};
//   linked_classes(linked, {5}, 1, ticker)[1].class_of[row];  // or kNone: withheld

#include <algorithm>
#include <vector>

#include "partition/partition.hpp"
#include "table/table.hpp"

namespace anonkit {

/// One of the tables. The caller owns the arrays.
struct LinkedTable {
  const Table* table = nullptr;  ///< its quasi-identifiers, perhaps none
  std::int32_t parent = kNone;
  /// By row its row in the parent, or kNone if it hangs on the person itself. Null for the first.
  const std::int32_t* parent_row = nullptr;
  const std::int32_t* person = nullptr;  ///< by row; null for the first
  /// The rows of a person that may be published; 0: all. Not for the first.
  std::int32_t most_rows = 0;
  /// The columns of numbers without a hierarchy whose cells are the means of their classes.
  std::vector<std::size_t> means = {};
  /// By sensitive column of the table, by rank the protected value, negative for a value that may
  /// be known; empty, or empty for a column: all values are protected.
  std::vector<std::vector<std::int32_t>> protected_values = {};
  /// By row, true if it is withheld, with all that hangs on it. Empty: none is. Not for the first.
  std::vector<bool> left_out = {};

  bool is_left_out(std::int32_t row) const {
    return !left_out.empty() && left_out[static_cast<std::size_t>(row)];
  }
};

struct LinkedTables {
  std::vector<LinkedTable> tables;
  std::int32_t persons = 0;
  /// By person, true for those who take no part: their rows have no slots and no classes, and their
  /// values count in domains alone. Empty: all take part.
  std::vector<bool> absent = {};

  bool is_present(std::int32_t person) const {
    return absent.empty() || !absent[static_cast<std::size_t>(person)];
  }
  std::int32_t present() const {
    return persons - static_cast<std::int32_t>(std::count(absent.begin(), absent.end(), true));
  }
};

/// All rows of a person: the adversary knows whole records.
constexpr std::int32_t kWholeRecords = -1;

/// Promises for every group of persons whose published records agree, or whose root rows do.
struct LinkedPromises {
  std::int32_t k = 1;
  /// The rows beside the root's that an adversary knows, 0 to 3, or kWholeRecords.
  std::int32_t m = kWholeRecords;
  /// The largest share of the persons that have a published row with the same sensitive value.
  double alpha = 1;
  /// The values that a sensitive column has, at least, if it has any; and l - 1 persons lack any
  /// single one. Of a column with protected values, l - 1 lack any single one of these.
  std::int32_t l = 1;

  bool about_values() const { return alpha < 1 || l > 1; }
};

/// The classes of the tables' rows, which get the same published cells. No group of persons shares
/// a class with another one. Withheld rows are suppressed.
using LinkedClasses = std::vector<Partition>;

}  // namespace anonkit
