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

/// The closed range [low, high] as a value of the type's range type, in canonical form.
Datum range_datum(const NumberType& type, double low, double high);

/// What one unit of the number is called and how many of the internal ones make it: (k,e) and other
/// spreads are reported in days for dates and in seconds for timestamps.
double reporting_unit(Oid type);

}  // namespace anonkit::pg
