#pragma once

#include "table/table.hpp"

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// A type whose values take part as numbers: integers, floats, numeric, date (days), timestamp and
/// timestamptz (microseconds).
struct NumberType {
  Oid type;
  Oid range;  ///< the range type that generalised values are published in
};

/// The number type of a base type, or null if values of the type are not numbers.
const NumberType* number_type(Oid base_type);

/// A value as a double: exact for integers below 2^53, dates and timestamps of this era. Sets
/// *finite to false for NaN, infinities and numbers beyond double precision's range.
double number_of(Oid type, Datum value, bool* finite);

/// The value of the type (and typmod) for a number that was rounded by rounding_of the same.
Datum number_datum(Oid type, int32 typmod, double number);

/// How numbers are rounded so that number_datum loses nothing.
Rounding rounding_of(Oid type, int32 typmod);

/// True if the number says all of the value that it was made from: the value has no more digits
/// than a double.
bool is_exact(Oid type, Datum value, double number);

/// The range of the values that the numbers from low to high were made from, in the type's range
/// type and in canonical form. It contains each of them: where they are not all `exact`, the ends
/// are rounded outwards, and where the type has no value after the last, there is no upper end.
Datum range_datum(const NumberType& type, double low, double high, bool exact);

/// The last value of a type whose ranges are discrete, which a range without an upper end contains.
double last_number(Oid type);

/// What one unit of the number is called and how many of the internal ones make it: (k,e) and other
/// spreads are reported in days for dates and in seconds for timestamps.
double reporting_unit(Oid type);

/// How many of the internal units count as one where values are compared as they are, by
/// standardize => 'none': a day of timestamps, as of dates.
double comparing_unit(Oid type);

}  // namespace anonkit::pg
