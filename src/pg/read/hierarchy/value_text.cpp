#include "pg/read/hierarchy/value_text.hpp"

#include <cctype>
#include <cmath>
#include <cstring>

#include "pg/backend/decimal.hpp"
#include "pg/backend/user_query.hpp"
#include "pg/read/number_type.hpp"
#include "pg/spec/moment.hpp"

extern "C" {
#include "common/shortest_dec.h"
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

char* shortest(double number, bool single) {
  auto* text = static_cast<char*>(palloc(DOUBLE_SHORTEST_DECIMAL_LEN));
  if (single)
    float_to_shortest_decimal_buf(static_cast<float>(number), text);
  else
    double_to_shortest_decimal_buf(number, text);
  return text;
}

Numeric parse_numeric(const char* text) {
  return DatumGetNumeric(DirectFunctionCall3(numeric_in, CStringGetDatum(text),
                                             ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1)));
}

char* time_text(Oid type, Datum value) {
  Moment moment;
  if (!moment_of(type, value, moment)) return pstrdup(moment.day < 0 ? "-infinity" : "infinity");
  return moment_text(type, moment);
}

/// Skips digits with an optional point, as many as numeric can hold.
bool skip_digits(const char*& text) {
  constexpr std::ptrdiff_t kMost = 1000;
  const char* begin = text;
  int digits = 0;
  int points = 0;
  for (; std::isdigit(static_cast<unsigned char>(*text)) != 0 || *text == '.'; ++text) {
    digits += *text == '.' ? 0 : 1;
    points += *text == '.' ? 1 : 0;
  }
  return digits > 0 && points <= 1 && text - begin <= kMost;
}

bool is_number(const char* text) {
  if (*text == '-' || *text == '+') ++text;
  if (!skip_digits(text)) return false;
  if (*text == 'e' || *text == 'E') {
    ++text;
    if (*text == '-' || *text == '+') ++text;
    const char* exponent = text;
    while (std::isdigit(static_cast<unsigned char>(*text)) != 0) ++text;
    if (text == exponent || text - exponent > 3) return false;
  }
  return *text == '\0';
}

}  // namespace

char* unpadded_output(Oid type, Datum value) {
  char* text = output_of(type, value);
  if (type != BPCHAROID) return text;
  std::size_t length = std::strlen(text);
  while (length > 0 && text[length - 1] == ' ') --length;
  text[length] = '\0';
  return text;
}

char* value_text(Oid base_type, Datum value) {
  switch (base_type) {
    case FLOAT4OID:
      return shortest(DatumGetFloat4(value), true);
    case FLOAT8OID:
      return shortest(DatumGetFloat8(value), false);
    case DATEOID:
    case TIMESTAMPOID:
    case TIMESTAMPTZOID:
      return time_text(base_type, value);
    default:
      return unpadded_output(base_type, value);
  }
}

Numeric exact_numeric(Oid type, Datum value) {
  switch (type) {
    case INT2OID:
      return int64_to_numeric(DatumGetInt16(value));
    case INT4OID:
      return int64_to_numeric(DatumGetInt32(value));
    case INT8OID:
      return int64_to_numeric(DatumGetInt64(value));
    case FLOAT4OID:
    case FLOAT8OID: {
      const bool single = type == FLOAT4OID;
      const double number = single ? DatumGetFloat4(value) : DatumGetFloat8(value);
      if (!std::isfinite(number)) return nullptr;
      return DatumGetNumeric(single ? shortest_numeric(static_cast<float>(number))
                                    : shortest_numeric(number));
    }
    default: {
      const Numeric number = DatumGetNumeric(value);
      return numeric_is_nan(number) || numeric_is_inf(number) ? nullptr : number;
    }
  }
}

char* number_spelling(Numeric number) {
  return DatumGetCString(DirectFunctionCall1(
      numeric_out, DirectFunctionCall1(numeric_trim_scale, NumericGetDatum(number))));
}

char* number_spelling(const char* text) {
  return is_number(text) ? number_spelling(parse_numeric(text)) : nullptr;
}

Datum value_of_number(Oid type, int32 typmod, double number) {
  if (type != NUMERICOID) return number_datum(type, typmod, number);
  return DirectFunctionCall2(numeric, shortest_numeric(number), Int32GetDatum(typmod));
}

}  // namespace anonkit::pg
