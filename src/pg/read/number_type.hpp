#pragma once

#include "table/table.hpp"

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// A type whose values the core treats as numbers: integers, floats, numeric, date (days),
/// timestamp and timestamptz (microseconds).
struct NumberType {
  Oid type;
  Oid range;  ///< the range type of published ranges
};

/// The number type of a base type, or null if values of the type are not numbers.
const NumberType* number_type(Oid base_type);

/// True for smallint, integer and bigint.
bool is_whole_number(Oid base_type);

/// A value as a double: exact for integers below 2^53, and for dates and timestamps of this era.
/// Sets *finite to false for NaN, infinities and numbers beyond double precision's range.
double number_of(Oid type, Datum value, bool* finite);

/// The value of the type (and typmod) for a number that rounding_of() has rounded.
Datum number_datum(Oid type, int32 typmod, double number);

/// The rounding after which number_datum loses nothing.
Rounding rounding_of(Oid type, int32 typmod);

/// True if the double equals the value exactly.
bool is_exact(Oid type, Datum value, double number);

/// The range from low to high in the type's range type and in canonical form. It contains all
/// values between. If some are not `exact`, the ends are rounded outwards. If the type has no value
/// after the last, there is no upper end.
Datum range_datum(const NumberType& type, double low, double high, bool exact);

/// The last value of a type with discrete ranges; a range without an upper end contains it.
double last_number(Oid type);

/// The number of internal units in one unit of a report. Spreads, as of (k,e)-anonymity, are
/// reported in days for dates and in seconds for timestamps.
double reporting_unit(Oid type);

/// The number of internal units that count as 1 under standardize => 'none': a day for timestamps,
/// as for dates.
double comparing_unit(Oid type);

}  // namespace anonkit::pg
