#pragma once

#include "pg/read/value_ranks.hpp"

namespace anonkit::pg {

// Numbers are counted, ordered and subtracted as doubles. Types of more digits have values that
// share a double, and would count as equal: microseconds and integers beyond 2^53, numerics of more
// than 15 digits.

/// The loss of digits of a column whose values are doubles.
struct NumbersLoss {
  bool apart = true;  ///< different values have different doubles
  double error = 0;   ///< the most by which a difference of two is wrong; 0: doubles are exact
};

/// True for values of a type that may have more digits than a double.
bool may_lose_digits(Oid base_type, int32 typmod);

/// The loss of settled ranks of that type, whose doubles are `numbers`, all finite.
NumbersLoss loss_of_numbers(Oid base_type, const ValueRanks& ranks, const double* numbers);

/// The values of a column of numbers while they are read. Plain data, palloc'd.
struct ExactNumbers {
  const char* column;
  Oid type;  ///< the base type; InvalidOid if no value can lose digits
  ValueRanks values;
  int64 count;
  NumbersLoss loss;  ///< after require_apart
};

/// Those of a declared column.
ExactNumbers exact_numbers(const FormData_pg_attribute& attribute);

/// Adds a value whose double is `number`.
void note_number(ExactNumbers& numbers, Datum value, double number);

/// After the last value. An error (data_exception) if two different ones share a double.
void require_apart(ExactNumbers& numbers);

/// An error (data_exception) if spreads of at least e, in the type's unit of reports, cannot be
/// told by such numbers.
void require_spread(const char* column, Oid base_type, const NumbersLoss& loss, double e);

}  // namespace anonkit::pg
