#include <cfloat>
#include <cmath>
#include <limits>

#include "pg/read/number_type.hpp"

#include "pg/backend/decimal.hpp"

extern "C" {
#include "utils/date.h"
#include "utils/float.h"
#include "utils/fmgrprotos.h"
#include "utils/rangetypes.h"
}

namespace anonkit::pg {
namespace {

/// Every fact of a number type.
struct NumberFacts : NumberType {
  double (*number)(Datum value);
  Datum (*datum)(double number, int32 typmod);
  Rounding (*rounding)(int32 typmod);
  bool (*is_exact)(Datum value, double number);
  Datum (*range_end)(double number, bool lower);  ///< a value of the bounds' type
  double first;        ///< before which no value comes in a range; infinite: clamped
  double last;         ///< after which no value comes in a discrete range; infinite: not discrete
  double unit;         ///< internal units in one of a report
  double compared;     ///< internal units that count as 1 under standardize => 'none'
  bool whole = false;  ///< an integer
};

/// Integers round to themselves; the conversion clamps to the type's limits.
int64 int64_of(double number) {
  if (number >= 9223372036854775808.0) return PG_INT64_MAX;
  if (number < -9223372036854775808.0) return PG_INT64_MIN;
  return static_cast<int64>(number);
}

/// Clamps microseconds to valid timestamps.
int64 timestamp_of(double number) {
  const int64 microseconds = int64_of(number);
  if (microseconds < MIN_TIMESTAMP) return MIN_TIMESTAMP;
  return microseconds < END_TIMESTAMP ? microseconds : END_TIMESTAMP - 1;
}

/// The digits after the point that a numeric's typmod allows.
int scale_of_typmod(int32 typmod) {
  const int32 bits = (typmod - VARHDRSZ) & 0x7ff;
  return (bits ^ 1024) - 1024;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kFirstDate = DATETIME_MIN_JULIAN - POSTGRES_EPOCH_JDATE;
constexpr double kLastDate = DATE_END_JULIAN - POSTGRES_EPOCH_JDATE - 1;

// A value as a number; infinite or not a number if the value is not finite.

double of_int2(Datum value) {
  return DatumGetInt16(value);
}
double of_int4(Datum value) {
  return DatumGetInt32(value);
}
double of_int8(Datum value) {
  return static_cast<double>(DatumGetInt64(value));
}
double of_float4(Datum value) {
  return DatumGetFloat4(value);
}
double of_float8(Datum value) {
  return DatumGetFloat8(value);
}
double of_numeric(Datum value) {
  return DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, value));
}
double of_date(Datum value) {
  return DATE_NOT_FINITE(DatumGetDateADT(value)) ? kInfinity : DatumGetDateADT(value);
}
double of_timestamp(Datum value) {
  const int64 microseconds = DatumGetTimestamp(value);
  return TIMESTAMP_NOT_FINITE(microseconds) ? kInfinity : static_cast<double>(microseconds);
}

// A number that has been rounded, as a value.

Datum int2_of(double number, int32) {
  return Int16GetDatum(static_cast<int16>(number));
}
Datum int4_of(double number, int32) {
  return Int32GetDatum(static_cast<int32>(number));
}
Datum int8_of(double number, int32) {
  return Int64GetDatum(int64_of(number));
}
Datum float4_of(double number, int32) {
  return Float4GetDatum(static_cast<float4>(number));
}
Datum float8_of(double number, int32) {
  return Float8GetDatum(number);
}
Datum numeric_of(double number, int32 typmod) {
  Datum value = DirectFunctionCall1(float8_numeric, Float8GetDatum(number));
  return DirectFunctionCall2(numeric, value, Int32GetDatum(typmod));
}
Datum date_of(double number, int32) {
  return DateADTGetDatum(static_cast<DateADT>(number));
}
Datum timestamp_datum(double number, int32 typmod) {
  return DirectFunctionCall2(timestamp_scale, TimestampGetDatum(timestamp_of(number)),
                             Int32GetDatum(typmod));
}
Datum timestamptz_datum(double number, int32 typmod) {
  return DirectFunctionCall2(timestamptz_scale, TimestampTzGetDatum(timestamp_of(number)),
                             Int32GetDatum(typmod));
}

Rounding to_integer(int32) {
  return {Rounding::To::integer, 0};
}
Rounding to_single(int32) {
  return {Rounding::To::single, 0};
}
Rounding to_double(int32) {
  return {Rounding::To::none, 0};
}
Rounding to_scale(int32 typmod) {
  return {Rounding::To::decimal, typmod >= VARHDRSZ ? scale_of_typmod(typmod) : kAnyScale};
}

bool always_exact(Datum, double) {
  return true;
}
/// Integers of 64 bits, also microseconds: a double has 53.
bool is_exact_int8(Datum value, double number) {
  return int64_of(number) == DatumGetInt64(value) && int64_of(number) != PG_INT64_MAX;
}
bool is_exact_numeric(Datum value, double number) {
  // A header of two bytes or more, and three groups of four digits or fewer.
  constexpr auto kFewDigits = 2 + 3 * sizeof(int16);
  const bool normal = std::fabs(number) >= DBL_MIN;
  if (normal && VARSIZE_ANY_EXHDR(DatumGetPointer(value)) <= kFewDigits) return true;
  const Datum shortest = shortest_numeric(number);
  const bool equal = DatumGetBool(DirectFunctionCall2(numeric_eq, value, shortest));
  pfree(DatumGetPointer(shortest));
  return equal;
}

/// The outer one of two numerics.
Datum outer(Datum a, Datum b, bool lower) {
  return DirectFunctionCall2(lower ? numeric_smaller : numeric_larger, a, b);
}

// The end of a range, as a value of the type of its bounds. A numeric range must contain a float
// both as cast to numeric, which drops digits, and as printed.

Datum int4_end(double number, bool) {
  return int4_of(number, -1);
}
Datum int8_end(double number, bool) {
  return int8_of(number, -1);
}
Datum float4_end(double number, bool lower) {
  const auto single = static_cast<float4>(number);
  return outer(DirectFunctionCall1(float4_numeric, Float4GetDatum(single)),
               shortest_numeric(single), lower);
}
Datum float8_end(double number, bool lower) {
  return outer(DirectFunctionCall1(float8_numeric, Float8GetDatum(number)),
               shortest_numeric(number), lower);
}
Datum numeric_end(double number, bool) {
  return shortest_numeric(number);
}
Datum date_end(double number, bool) {
  return date_of(number, -1);
}
Datum timestamp_end(double number, bool) {
  return timestamp_datum(number, -1);
}
Datum timestamptz_end(double number, bool) {
  return timestamptz_datum(number, -1);
}

constexpr double kSecond = USECS_PER_SEC;
constexpr auto kDay = static_cast<double>(USECS_PER_DAY);
constexpr auto kFirstInt8 = static_cast<double>(PG_INT64_MIN);
constexpr auto kLastInt8 = static_cast<double>(PG_INT64_MAX);

// clang-format off
constexpr NumberFacts kNumberTypes[] = {
    {{INT2OID, INT4RANGEOID}, of_int2, int2_of, to_integer, always_exact, int4_end, INT_MIN, INT_MAX, 1, 1, true},
    {{INT4OID, INT4RANGEOID}, of_int4, int4_of, to_integer, always_exact, int4_end, INT_MIN, INT_MAX, 1, 1, true},
    {{INT8OID, INT8RANGEOID}, of_int8, int8_of, to_integer, is_exact_int8, int8_end, kFirstInt8, kLastInt8, 1, 1, true},
    {{FLOAT4OID, NUMRANGEOID}, of_float4, float4_of, to_single, always_exact, float4_end, -kInfinity, kInfinity, 1, 1},
    {{FLOAT8OID, NUMRANGEOID}, of_float8, float8_of, to_double, always_exact, float8_end, -kInfinity, kInfinity, 1, 1},
    {{NUMERICOID, NUMRANGEOID}, of_numeric, numeric_of, to_scale, is_exact_numeric, numeric_end, -kInfinity, kInfinity, 1, 1},
    {{DATEOID, DATERANGEOID}, of_date, date_of, to_integer, always_exact, date_end, kFirstDate, kLastDate, 1, 1},
    {{TIMESTAMPOID, TSRANGEOID}, of_timestamp, timestamp_datum, to_integer, is_exact_int8, timestamp_end, -kInfinity, kInfinity, kSecond, kDay},
    {{TIMESTAMPTZOID, TSTZRANGEOID}, of_timestamp, timestamptz_datum, to_integer, is_exact_int8, timestamptz_end, -kInfinity, kInfinity, kSecond, kDay},
};
// clang-format on

const NumberFacts* find_facts(Oid base_type) {
  for (const NumberFacts& facts : kNumberTypes)
    if (facts.type == base_type) return &facts;
  return nullptr;
}

/// The facts of a type that must be a number type.
const NumberFacts& facts_of(Oid base_type) {
  const NumberFacts* facts = find_facts(base_type);
  if (facts == nullptr) elog(ERROR, "type %u is not a type of numbers", base_type);
  return *facts;
}

}  // namespace

const NumberType* number_type(Oid base_type) {
  return find_facts(base_type);
}

bool is_whole_number(Oid base_type) {
  const NumberFacts* facts = find_facts(base_type);
  return facts != nullptr && facts->whole;
}

double number_of(Oid type, Datum value, bool* finite) {
  const double number = facts_of(type).number(value);
  *finite = std::isfinite(number);
  return number;
}

Datum number_datum(Oid type, int32 typmod, double number) {
  return facts_of(type).datum(number, typmod);
}

Rounding rounding_of(Oid type, int32 typmod) {
  return facts_of(type).rounding(typmod);
}

bool is_exact(Oid type, Datum value, double number) {
  return facts_of(type).is_exact(value, number);
}

double last_number(Oid type) {
  return facts_of(type).last;
}

double reporting_unit(Oid type) {
  return facts_of(type).unit;
}

double comparing_unit(Oid type) {
  return facts_of(type).compared;
}

namespace {

/// Without an end if the number is infinite or below the first value, or if the upper end would be
/// the value after the last.
RangeBound end_of(const NumberFacts& type, double number, bool exact, bool lower) {
  if (!exact) number = std::nextafter(number, lower ? -kInfinity : kInfinity);
  RangeBound end = {0, false, true, lower};
  end.infinite = !std::isfinite(number) || (lower ? number < type.first : number >= type.last);
  if (!end.infinite) end.val = type.range_end(number, lower);
  return end;
}

}  // namespace

Datum range_datum(const NumberType& type, double low, double high, bool exact) {
  const NumberFacts& facts = facts_of(type.type);
  TypeCacheEntry* range_type = lookup_type_cache(type.range, TYPECACHE_RANGE_INFO);
  RangeBound lower = end_of(facts, low, exact, true);
  RangeBound upper = end_of(facts, high, exact, false);
  return RangeTypePGetDatum(anonkit_make_range(range_type, &lower, &upper));
}

}  // namespace anonkit::pg
