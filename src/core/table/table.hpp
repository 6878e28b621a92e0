#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/record.hpp"
#include "table/attribute.hpp"
#include "table/hierarchy.hpp"

namespace anonkit {

/// How a masked number is rounded, so that it fits the type of the column that it came from.
struct Rounding {
  enum class To : std::uint8_t {
    none,     ///< any double
    integer,  ///< whole numbers
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
  /// False if categories that differ may be equal to whoever compares what is published, as texts
  /// in a collation that knows no case are.
  bool told_apart = true;
  /// The column's value generalisation hierarchy, or null.
  const Hierarchy* hierarchy = nullptr;
  /// With a hierarchy: of each row, the place of its value among the hierarchy's.
  const std::int32_t* leaves = nullptr;
};

/// A sensitive attribute that a promised model looks at, as it was read.
struct SensitiveColumn {
  std::string name;
  Kind kind = Kind::nominal;
  /// One per row: the place of its value among the distinct values, from 0; null is the last.
  const std::int32_t* ranks = nullptr;
  std::int64_t nulls = 0;
  /// Numbers only: the value of each rank, ascending, null left out.
  const double* numbers = nullptr;
  std::int32_t distinct = 0;  ///< ranks, null's included
  /// The hierarchy over the ranks by which distances are measured, or null.
  const Hierarchy* hierarchy = nullptr;
  /// Extended p-sensitivity: what each rank counts as, or null.
  const std::int32_t* lifted = nullptr;
};

/// A fingerprint of the values of a record that are not quasi-identifiers; it orders records whose
/// quasi-identifiers are all alike.
using Fingerprint = std::array<std::uint64_t, 2>;

/// The records as they were read: a view of memory that somebody else owns.
struct Table {
  Record rows = 0;
  std::vector<Column> columns;
  std::vector<SensitiveColumn> sensitive;
  /// rows x columns, row-major: numbers in the column's own unit, or codes. Null is NaN.
  const double* values = nullptr;
  /// One per record, or null if records with equal quasi-identifiers are interchangeable.
  const Fingerprint* fingerprints = nullptr;
  /// Whose each row is, numbered from 0 by what the data say; null if each is somebody else's.
  const std::int32_t* units = nullptr;
  /// The class label of every row, that top-down specialisation is to preserve, or null.
  const std::int32_t* labels = nullptr;

  double value(Record i, std::size_t j) const {
    return values[static_cast<std::size_t>(i) * columns.size() + j];
  }
};

constexpr double kNull = std::numeric_limits<double>::quiet_NaN();
inline bool is_null(double value) {
  return std::isnan(value);
}

/// Rounds a number as the column demands. Distinct results stay distinct in the column's own type.
double round_to(const Rounding& rounding, double value);

}  // namespace anonkit
