#include <cmath>
#include <cstring>

#include "pg/backend/json_build.hpp"

#include "pg/backend/decimal.hpp"
#include "pg/backend/user_query.hpp"

extern "C" {
#include "access/transam.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "utils/builtins.h"
#include "utils/datetime.h"
#include "utils/fmgroids.h"
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
    default:
      return text_value(output_of(type, value));
  }
}

/// The array with the texts of its elements.
Datum array_of_texts(Datum value, Oid element) {
  ArrayType* array = DatumGetArrayTypeP(value);
  int16 length;
  bool by_value;
  char align;
  get_typlenbyvalalign(element, &length, &by_value, &align);
  Datum* elements;
  bool* nulls;
  int count;
  deconstruct_array(array, element, length, by_value, align, &elements, &nulls, &count);
  for (int i = 0; i < count; ++i)
    if (!nulls[i]) elements[i] = CStringGetTextDatum(output_of(element, elements[i]));
  return PointerGetDatum(construct_md_array(elements, nulls, ARR_NDIM(array), ARR_DIMS(array),
                                            ARR_LBOUND(array), TEXTOID, -1, false, TYPALIGN_INT));
}

/// to_jsonb takes the type of its argument from the call's expression.
Datum to_jsonb_of(Datum value, Oid type) {
  FmgrInfo function;
  fmgr_info(F_TO_JSONB, &function);
  Const* argument = makeNullConst(type, -1, InvalidOid);
  function.fn_expr = reinterpret_cast<Node*>(makeFuncExpr(
      F_TO_JSONB, JSONBOID, list_make1(argument), InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL));
  return FunctionCall1(&function, value);
}

/// An object of the columns of a composite value.
Datum object_of(Datum value, Oid type) {
  HeapTupleHeader header = DatumGetHeapTupleHeader(value);
  HeapTupleData tuple = {};
  tuple.t_len = HeapTupleHeaderGetDatumLength(header);
  tuple.t_data = header;
  TupleDesc descriptor = lookup_rowtype_tupdesc(type, HeapTupleHeaderGetTypMod(header));
  JsonObject json;
  for (int i = 0; i < descriptor->natts; ++i) {
    const Form_pg_attribute attribute = TupleDescAttr(descriptor, i);
    if (attribute->attisdropped) continue;
    bool is_null;
    const Datum cell = heap_getattr(&tuple, i + 1, descriptor, &is_null);
    if (is_null)
      json.add_null(NameStr(attribute->attname));
    else
      json.add_cell(NameStr(attribute->attname), cell, attribute->atttypid);
  }
  ReleaseTupleDesc(descriptor);
  return JsonbPGetDatum(json.finish());
}

Datum cell_json(Datum value, Oid type) {
  check_stack_depth();
  type = getBaseType(type);
  const Oid element = get_element_type(type);
  if (getBaseType(OidIsValid(element) ? element : type) < FirstNormalObjectId)
    return to_jsonb_of(value, type);
  if (type_is_rowtype(type)) return object_of(value, type);
  return OidIsValid(element) ? to_jsonb_of(array_of_texts(value, element), TEXTARRAYOID)
                             : to_jsonb_of(CStringGetTextDatum(output_of(type, value)), TEXTOID);
}

}  // namespace

JsonObject::JsonObject() {
  pushJsonbValue(&state_, WJB_BEGIN_OBJECT, nullptr);
}

void JsonObject::add_key(const char* key) {
  JsonbValue name = text_value(key);
  pushJsonbValue(&state_, WJB_KEY, &name);
}

void JsonObject::add_value(const char* key, const JsonbValue* value) {
  add_key(key);
  pushJsonbValue(&state_, WJB_VALUE, const_cast<JsonbValue*>(value));
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

void JsonObject::add(const char* key, Jsonb* json) {
  JsonbValue value;
  JsonbToJsonbValue(json, &value);
  add_value(key, &value);
}

void JsonObject::add_null(const char* key) {
  JsonbValue value;
  value.type = jbvNull;
  add_value(key, &value);
}

void JsonObject::add_or_null(const char* key, double number) {
  if (std::isfinite(number))
    add(key, number);
  else
    add_null(key);
}

void JsonObject::add_or_null(const char* key, const char* text) {
  if (text != nullptr)
    add(key, text);
  else
    add_null(key);
}

void JsonObject::add_datum(const char* key, Datum datum, Oid type) {
  JsonbValue value = datum_value(datum, type);
  add_value(key, &value);
}

void JsonObject::add_cell(const char* key, Datum cell, Oid type) {
  add(key, DatumGetJsonbP(cell_json(cell, type)));
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

JsonArray::JsonArray() {
  pushJsonbValue(&state_, WJB_BEGIN_ARRAY, nullptr);
}

void JsonArray::add(const char* text) {
  JsonbValue value = text_value(text);
  pushJsonbValue(&state_, WJB_ELEM, &value);
}

void JsonArray::add(Jsonb* json) {
  JsonbValue value;
  JsonbToJsonbValue(json, &value);
  pushJsonbValue(&state_, WJB_ELEM, &value);
}

Jsonb* JsonArray::finish() {
  return JsonbValueToJsonb(pushJsonbValue(&state_, WJB_END_ARRAY, nullptr));
}

char* fingerprint_of(Jsonb* json) {
  const char* written = JsonbToCString(nullptr, &json->root, VARSIZE(json));
  const char* utf8 = pg_server_to_any(written, static_cast<int>(std::strlen(written)), PG_UTF8);
  const Datum hash = DirectFunctionCall1(sha256_bytea, CStringGetTextDatum(utf8));
  return TextDatumGetCString(DirectFunctionCall2(binary_encode, hash, CStringGetTextDatum("hex")));
}

Jsonb* joined(Jsonb* first, Jsonb* second) {
  return DatumGetJsonbP(
      DirectFunctionCall2(jsonb_concat, JsonbPGetDatum(first), JsonbPGetDatum(second)));
}

Jsonb* without(Jsonb* json, const char* key) {
  return DatumGetJsonbP(
      DirectFunctionCall2(jsonb_delete, JsonbPGetDatum(json), CStringGetTextDatum(key)));
}

}  // namespace anonkit::pg
