#pragma once

// The input of every method: a view of the records, with one column per quasi-identifier and one
// per sensitive attribute.
//
// Invariants: cells are numbers or codes from 0; null is NaN; ranks follow the order of the values.
// The table owns no memory: the caller keeps the arrays alive and unchanged.
//
//   Table table;
//   table.rows = 2, table.columns = {{"age", {Kind::numeric}, {}}};
//   table.values = ages.data();  // std::vector<double> ages = {31, 45}

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "base/record.hpp"
#include "table/attribute.hpp"
#include "table/hierarchy.hpp"

namespace anonkit {

/// The rounding of a masked number to the type of its column.
struct Rounding {
  enum class To : std::uint8_t {
    none,     ///< any double
    integer,  ///< integers
    decimal,  ///< `digits` after the point, 15 significant digits in all
    single,   ///< values of the 4-byte floating-point type
  };
  To to = To::none;
  int digits = 0;  ///< may be negative (rounding to tens), or kAnyScale
};
constexpr int kAnyScale = 10000;

/// A quasi-identifier as it was read.
struct Column {
  std::string name;
  Attribute attribute;
  Rounding rounding;  ///< numeric only
  /// False if a reader may take different categories for equal ones, as texts under a
  /// case-insensitive collation.
  bool told_apart = true;
  /// The column's value generalisation hierarchy, or null.
  const Hierarchy* hierarchy = nullptr;
  /// With a hierarchy: by row, the position of its value among the hierarchy's values.
  const std::int32_t* leaves = nullptr;
  /// Numeric only: the finest published range. Methods that cut by a grid cut no finer, 0 is the
  /// smallest distance of two numbers; other ranges go outward to its multiples, 0 is not at all.
  double width = 0;
  /// Numeric only, where the table is a part of a larger one: the standard deviation of all
  /// numbers, and the difference of the largest and the smallest. 0: those of this table count.
  double deviation = 0;
  double extent = 0;
  /// With a hierarchy and a population: by record of the population, the position of its value.
  const std::int32_t* population = nullptr;
};

/// A sensitive attribute of a promised model, as it was read.
struct SensitiveColumn {
  std::string name;
  Kind kind = Kind::nominal;
  /// One per row: the rank of its value among the distinct values, from 0; null comes last.
  const std::int32_t* ranks = nullptr;
  std::int64_t nulls = 0;
  /// Numbers only: the value of each rank, ascending, without null.
  const double* numbers = nullptr;
  std::int32_t distinct = 0;  ///< number of ranks, with that of null
  /// The hierarchy over the ranks by which distances are measured, or null.
  const Hierarchy* hierarchy = nullptr;
  /// Extended p-sensitivity: the protected value that replaces each rank, or null.
  const std::int32_t* lifted = nullptr;
};

/// A fingerprint of a record's values outside the quasi-identifiers. It orders records with equal
/// quasi-identifiers.
using Fingerprint = std::array<std::uint64_t, 2>;

/// The records as they were read: a view of memory that the caller owns.
struct Table {
  Record rows = 0;
  Record population =
      0;  ///< records of the population that the table is a part of; 0: none is named
  std::vector<Column> columns;
  std::vector<SensitiveColumn> sensitive;
  /// rows x columns, row-major: numbers in the column's own unit, or codes. Null is NaN.
  const double* values = nullptr;
  /// One per record, or null if records with equal quasi-identifiers are interchangeable.
  const Fingerprint* fingerprints = nullptr;
  /// The unit (person) of each row, numbered from 0; null if each row is a unit of its own.
  const std::int32_t* units = nullptr;
  /// The class label of every row, which top-down specialisation preserves, or null.
  const std::int32_t* labels = nullptr;

  double value(Record i, std::size_t j) const {
    return values[static_cast<std::size_t>(i) * columns.size() + j];
  }
};

constexpr double kNull = std::numeric_limits<double>::quiet_NaN();
inline bool is_null(double value) {
  return std::isnan(value);
}

/// -1, 0 or 1; null comes last.
inline int compare_numbers(double a, double b) {
  if (is_null(a) || is_null(b)) return static_cast<int>(is_null(a)) - static_cast<int>(is_null(b));
  return static_cast<int>(a > b) - static_cast<int>(a < b);
}

/// Equal cells have equal bits, whatever the sign of zero, and so have nulls.
inline std::uint64_t bits_of_cell(double cell) {
  if (is_null(cell)) return ~std::uint64_t{0};
  if (cell == 0) return 0;
  std::uint64_t bits;
  std::memcpy(&bits, &cell, sizeof bits);
  return bits;
}

/// True if the records are equal in all quasi-identifiers; nulls equal each other.
bool equal_quasi_identifiers(const Table& table, Record a, Record b);

/// Rounds a number to its column's type. Distinct results stay distinct in that type. O(1).
double round_to(const Rounding& rounding, double value);

/// The distance between neighbouring rounded numbers; 0 if it is not the same everywhere.
double unit_of(const Rounding& rounding);

}  // namespace anonkit
