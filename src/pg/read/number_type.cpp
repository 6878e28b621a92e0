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

constexpr NumberType kNumberTypes[] = {
    {INT2OID, INT4RANGEOID},  {INT4OID, INT4RANGEOID},    {INT8OID, INT8RANGEOID},
    {FLOAT4OID, NUMRANGEOID}, {FLOAT8OID, NUMRANGEOID},   {NUMERICOID, NUMRANGEOID},
    {DATEOID, DATERANGEOID},  {TIMESTAMPOID, TSRANGEOID}, {TIMESTAMPTZOID, TSTZRANGEOID},
};

double timestamp_number(int64 microseconds, bool* finite) {
  *finite = !TIMESTAMP_NOT_FINITE(microseconds);
  return static_cast<double>(microseconds);
}

/// The type of the bounds of a number type's ranges.
Oid bound_type(const NumberType& type) {
  switch (type.range) {
    case INT4RANGEOID:
      return INT4OID;
    case NUMRANGEOID:
      return NUMERICOID;
    default:
      return type.type;
  }
}

Datum numeric_datum(int32 typmod, double number) {
  Datum value = DirectFunctionCall1(float8_numeric, Float8GetDatum(number));
  return DirectFunctionCall2(numeric, value, Int32GetDatum(typmod));
}

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

}  // namespace

const NumberType* number_type(Oid base_type) {
  for (const NumberType& type : kNumberTypes)
    if (type.type == base_type) return &type;
  return nullptr;
}

bool is_whole_number(Oid base_type) {
  return base_type == INT2OID || base_type == INT4OID || base_type == INT8OID;
}

double number_of(Oid type, Datum value, bool* finite) {
  double number = 0;
  *finite = true;
  switch (type) {
    case INT2OID:
      return DatumGetInt16(value);
    case INT4OID:
      return DatumGetInt32(value);
    case INT8OID:
      return static_cast<double>(DatumGetInt64(value));
    case DATEOID:
      *finite = !DATE_NOT_FINITE(DatumGetDateADT(value));
      return DatumGetDateADT(value);
    case TIMESTAMPOID:
      return timestamp_number(DatumGetTimestamp(value), finite);
    case TIMESTAMPTZOID:
      return timestamp_number(DatumGetTimestampTz(value), finite);
    case FLOAT4OID:
      number = DatumGetFloat4(value);
      break;
    case FLOAT8OID:
      number = DatumGetFloat8(value);
      break;
    default:
      number = DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, value));
  }
  *finite = std::isfinite(number);
  return number;
}

Datum number_datum(Oid type, int32 typmod, double number) {
  switch (type) {
    case INT2OID:
      return Int16GetDatum(static_cast<int16>(number));
    case INT4OID:
      return Int32GetDatum(static_cast<int32>(number));
    case INT8OID:
      return Int64GetDatum(int64_of(number));
    case DATEOID:
      return DateADTGetDatum(static_cast<DateADT>(number));
    case TIMESTAMPOID:
      return DirectFunctionCall2(timestamp_scale, TimestampGetDatum(timestamp_of(number)),
                                 Int32GetDatum(typmod));
    case TIMESTAMPTZOID:
      return DirectFunctionCall2(timestamptz_scale, TimestampTzGetDatum(timestamp_of(number)),
                                 Int32GetDatum(typmod));
    case FLOAT4OID:
      return Float4GetDatum(static_cast<float4>(number));
    case FLOAT8OID:
      return Float8GetDatum(number);
    default:
      return numeric_datum(typmod, number);
  }
}

Rounding rounding_of(Oid type, int32 typmod) {
  switch (type) {
    case FLOAT4OID:
      return {Rounding::To::single, 0};
    case FLOAT8OID:
      return {Rounding::To::none, 0};
    case NUMERICOID:
      return {Rounding::To::decimal, typmod >= VARHDRSZ ? scale_of_typmod(typmod) : kAnyScale};
    default:
      return {Rounding::To::integer, 0};
  }
}

bool is_exact(Oid type, Datum value, double number) {
  switch (type) {
    case INT8OID:
    case TIMESTAMPOID:
    case TIMESTAMPTZOID:
      return int64_of(number) == DatumGetInt64(value) && int64_of(number) != PG_INT64_MAX;
    case NUMERICOID:
      return DatumGetBool(DirectFunctionCall2(numeric_eq, value, shortest_numeric(number)));
    default:
      return true;
  }
}

double last_number(Oid type) {
  switch (type) {
    case INT4OID:
      return INT_MAX;
    case INT8OID:
      return static_cast<double>(PG_INT64_MAX);
    default:
      return DATE_END_JULIAN - POSTGRES_EPOCH_JDATE - 1;
  }
}

namespace {

/// The outer one of two numerics.
Datum outer(Datum a, Datum b, bool lower) {
  return DirectFunctionCall2(lower ? numeric_smaller : numeric_larger, a, b);
}

/// The end of a numeric range. The range must contain a float both as cast to numeric, which drops
/// digits, and as printed.
Datum numeric_end(Oid type, double number, bool lower) {
  switch (type) {
    case FLOAT4OID: {
      const auto single = static_cast<float4>(number);
      return outer(DirectFunctionCall1(float4_numeric, Float4GetDatum(single)),
                   shortest_numeric(single), lower);
    }
    case FLOAT8OID:
      return outer(DirectFunctionCall1(float8_numeric, Float8GetDatum(number)),
                   shortest_numeric(number), lower);
    default:
      return shortest_numeric(number);
  }
}

/// True if no discrete range can end with the number, because its upper bound would be the next
/// value.
bool is_last(const NumberType& type, double number) {
  return type.range != NUMRANGEOID && type.range != TSRANGEOID && type.range != TSTZRANGEOID &&
         number >= last_number(bound_type(type));
}

RangeBound end_of(const NumberType& type, double number, bool exact, bool lower) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!exact) number = std::nextafter(number, lower ? -kInfinity : kInfinity);
  RangeBound end = {0, false, true, lower};
  end.infinite = !std::isfinite(number) || (!lower && is_last(type, number));
  if (end.infinite) return end;
  end.val = type.range == NUMRANGEOID ? numeric_end(type.type, number, lower)
                                      : number_datum(bound_type(type), -1, number);
  return end;
}

}  // namespace

Datum range_datum(const NumberType& type, double low, double high, bool exact) {
  TypeCacheEntry* range_type = lookup_type_cache(type.range, TYPECACHE_RANGE_INFO);
  RangeBound lower = end_of(type, low, exact, true);
  RangeBound upper = end_of(type, high, exact, false);
  return RangeTypePGetDatum(anonkit_make_range(range_type, &lower, &upper));
}

namespace {

bool is_timestamp(Oid type) {
  return type == TIMESTAMPOID || type == TIMESTAMPTZOID;
}

}  // namespace

double reporting_unit(Oid type) {
  return is_timestamp(type) ? USECS_PER_SEC : 1;
}

double comparing_unit(Oid type) {
  return is_timestamp(type) ? static_cast<double>(USECS_PER_DAY) : 1;
}

}  // namespace anonkit::pg
