#include <cstring>

#include "pg/backend/json_build.hpp"

#include "pg/backend/decimal.hpp"

extern "C" {
#include "miscadmin.h"
#include "utils/datetime.h"
#include "utils/fmgrprotos.h"
#include "utils/json.h"
}

namespace anonkit::pg {
namespace {

JsonbValue text_value(const char* text) {
  JsonbValue value;
  value.type = jbvString;
  value.val.string.val = const_cast<char*>(text);
  value.val.string.len = static_cast<int>(std::strlen(text));
  return value;
}

JsonbValue numeric_value(Datum numeric) {
  JsonbValue value;
  value.type = jbvNumeric;
  value.val.numeric = DatumGetNumeric(numeric);
  return value;
}

JsonbValue datum_value(Datum value, Oid type) {
  switch (type) {
    case BOOLOID: {
      JsonbValue truth;
      truth.type = jbvBool;
      truth.val.boolean = DatumGetBool(value);
      return truth;
    }
    case INT2OID:
      return numeric_value(NumericGetDatum(int64_to_numeric(DatumGetInt16(value))));
    case INT4OID:
      return numeric_value(NumericGetDatum(int64_to_numeric(DatumGetInt32(value))));
    case INT8OID:
      return numeric_value(NumericGetDatum(int64_to_numeric(DatumGetInt64(value))));
    case FLOAT4OID:
      return numeric_value(DirectFunctionCall1(float4_numeric, value));
    case FLOAT8OID:
      return numeric_value(shortest_numeric(DatumGetFloat8(value)));
    case NUMERICOID:
      return numeric_value(value);
    case JSONBOID: {
      JsonbValue json;
      JsonbToJsonbValue(DatumGetJsonbP(value), &json);
      return json;
    }
    case DATEOID:
    case TIMESTAMPOID:
    case TIMESTAMPTZOID: {
      char* text = static_cast<char*>(palloc(MAXDATELEN + 1));
      return text_value(JsonEncodeDateTime(text, value, type, nullptr));
    }
    default: {
      Oid output;
      bool is_varlena;
      getTypeOutputInfo(type, &output, &is_varlena);
      return text_value(OidOutputFunctionCall(output, value));
    }
  }
}

}  // namespace

JsonObject::JsonObject() {
  pushJsonbValue(&state_, WJB_BEGIN_OBJECT, nullptr);
}

void JsonObject::add_key(const char* key) {
  JsonbValue name = text_value(key);
  pushJsonbValue(&state_, WJB_KEY, &name);
}

void JsonObject::add_value(const char* key, JsonbValue* value) {
  add_key(key);
  pushJsonbValue(&state_, WJB_VALUE, value);
}

void JsonObject::add(const char* key, const char* text) {
  JsonbValue value = text_value(text);
  add_value(key, &value);
}

void JsonObject::add(const char* key, double number) {
  JsonbValue value = numeric_value(shortest_numeric(number));
  add_value(key, &value);
}

void JsonObject::add(const char* key, int64 number) {
  JsonbValue value = numeric_value(NumericGetDatum(int64_to_numeric(number)));
  add_value(key, &value);
}

void JsonObject::add(const char* key, bool truth) {
  JsonbValue value = datum_value(BoolGetDatum(truth), BOOLOID);
  add_value(key, &value);
}

void JsonObject::add_null(const char* key) {
  JsonbValue value;
  value.type = jbvNull;
  add_value(key, &value);
}

void JsonObject::add_datum(const char* key, Datum datum, Oid type) {
  JsonbValue value = datum_value(datum, type);
  add_value(key, &value);
}

void JsonObject::add_array(const char* key, ArrayType* array) {
  const Oid type = ARR_ELEMTYPE(array);
  int16 length;
  bool by_value;
  char align;
  get_typlenbyvalalign(type, &length, &by_value, &align);
  Datum* elements;
  bool* nulls;
  int count;
  deconstruct_array(array, type, length, by_value, align, &elements, &nulls, &count);
  add_key(key);
  pushJsonbValue(&state_, WJB_BEGIN_ARRAY, nullptr);
  for (int i = 0; i < count; ++i) {
    JsonbValue value;
    value.type = jbvNull;
    if (!nulls[i])
      value = type == TEXTOID ? text_value(TextDatumGetCString(elements[i]))
                              : datum_value(elements[i], type);
    pushJsonbValue(&state_, WJB_ELEM, &value);
  }
  pushJsonbValue(&state_, WJB_END_ARRAY, nullptr);
}

Jsonb* JsonObject::finish() {
  return JsonbValueToJsonb(pushJsonbValue(&state_, WJB_END_OBJECT, nullptr));
}

}  // namespace anonkit::pg
