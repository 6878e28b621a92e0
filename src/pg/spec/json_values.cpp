#include "pg/spec/json_values.hpp"

#include <cmath>
#include <cstring>

#include "pg/backend/json_build.hpp"
#include "pg/backend/session.hpp"

namespace anonkit::pg {

void wrong_type(const char* key, const char* wanted) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("parameter \"%s\" must be %s", key, wanted)));
  pg_unreachable();
}

const JsonbValue* value_of_key(Jsonb* json, const char* key) {
  return getKeyJsonValueFromContainer(&json->root, key, static_cast<int>(std::strlen(key)),
                                      nullptr);
}

int compare_numbers(Numeric a, Numeric b) {
  return DatumGetInt32(DirectFunctionCall2(numeric_cmp, NumericGetDatum(a), NumericGetDatum(b)));
}

int compare_values(const JsonbValue& a, const JsonbValue& b) {
  JsonObject first;
  JsonObject second;
  first.add_value("", &a);
  second.add_value("", &b);
  return compareJsonbContainers(&first.finish()->root, &second.finish()->root);
}

double number(const char* key, const JsonbValue& value) {
  if (value.type != jbvNumeric) wrong_type(key, "a number");
  return DatumGetFloat8(
      DirectFunctionCall1(numeric_float8_no_overflow, NumericGetDatum(value.val.numeric)));
}

int32 positive_integer(const char* key, const JsonbValue& value) {
  const double x = number(key, value);
  if (!(x >= 1 && x <= INT_MAX) || x != std::floor(x))
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("%s must be an integer of at least 1", key)));
  return static_cast<int32>(x);
}

double not_negative(const char* key, const JsonbValue& value) {
  const double x = number(key, value);
  if (!(x >= 0) || std::isinf(x))
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("%s must be a finite number of at least 0", key)));
  return x;
}

double positive(const char* key, const JsonbValue& value) {
  const double x = not_negative(key, value);
  if (x == 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s must be above 0", key)));
  return x;
}

double at_least_one(const char* key, const JsonbValue& value) {
  const double x = not_negative(key, value);
  if (x < 1)
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s must be at least 1", key)));
  return x;
}

bool truth(const char* key, const JsonbValue& value) {
  if (value.type != jbvBool) wrong_type(key, "true or false");
  return value.val.boolean;
}

int choice_of(const char* key, const JsonbValue& value, const char* const* choices, int count) {
  if (value.type != jbvString) wrong_type(key, "a text");
  for (int i = 0; i < count; ++i)
    if (static_cast<std::size_t>(value.val.string.len) == std::strlen(choices[i]) &&
        std::memcmp(value.val.string.val, choices[i],
                    static_cast<std::size_t>(value.val.string.len)) == 0)
      return i;
  StringInfoData list;
  initStringInfo(&list);
  for (int i = 0; i < count; ++i) appendStringInfo(&list, "%s'%s'", i > 0 ? ", " : "", choices[i]);
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("unknown value for \"%s\"", key),
                  errhint("Choose one of %s.", list.data)));
  pg_unreachable();
}

const JsonbValue& array_of(const char* key, JsonbValue& value, const char* wanted) {
  if (value.type != jbvBinary || !JsonContainerIsArray(value.val.binary.data))
    wrong_type(key, wanted);
  return value;
}

int elements(const JsonbValue& array) {
  return JsonContainerSize(array.val.binary.data);
}

const JsonbValue& element(const JsonbValue& array, int place) {
  return *getIthJsonbValueFromContainer(array.val.binary.data, static_cast<uint32>(place));
}

char* text_of(const JsonbValue& value) {
  return pnstrdup(value.val.string.val, static_cast<std::size_t>(value.val.string.len));
}

char* text_value(const char* key, const JsonbValue& value, const char* wanted) {
  if (value.type != jbvString) wrong_type(key, wanted);
  return text_of(value);
}

bool is_object(const JsonbValue& value) {
  return value.type == jbvBinary && JsonContainerIsObject(value.val.binary.data);
}

Names names_of(const char* key, const JsonbValue& value, const char* wanted) {
  JsonbValue copy = value;
  const JsonbValue& array = array_of(key, copy, wanted);
  Names list;
  list.count = elements(array);
  list.names =
      static_cast<char**>(palloc0(sizeof(char*) * static_cast<std::size_t>(list.count + 1)));
  for (int i = 0; i < list.count; ++i) {
    const JsonbValue& name = element(array, i);
    if (name.type == jbvNull)
      ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
                      errmsg("parameter \"%s\" must not contain nulls", key)));
    if (name.type != jbvString) wrong_type(key, wanted);
    list.names[i] = text_of(name);
  }
  return list;
}

double above_0_to_1(const char* key, const JsonbValue& value) {
  const double x = number(key, value);
  if (!(x > 0 && x <= 1))
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("%s must be above 0 and at most 1", key)));
  return x;
}

double finite(const char* key, const JsonbValue& value) {
  const double x = number(key, value);
  if (!std::isfinite(x))
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s must be finite", key)));
  return x;
}

double between_0_and_1(const char* key, const JsonbValue& value) {
  const double x = number(key, value);
  if (!(x > 0 && x < 1))
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("%s must be above 0 and below 1", key)));
  return x;
}

double from_0_to_1(const char* key, const JsonbValue& value) {
  const double x = number(key, value);
  if (!(x >= 0 && x <= 1))
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s must be between 0 and 1", key)));
  return x;
}

bool next_member(JsonbIterator** it, char** key, JsonbValue* value) {
  JsonbValue name;
  for (;;) {
    const JsonbIteratorToken token = JsonbIteratorNext(it, &name, true);
    if (token == WJB_DONE) return false;
    if (token != WJB_KEY) continue;
    *key = text_of(name);
    JsonbIteratorNext(it, value, true);
    return true;
  }
}

Names joined(const Names& a, const Names& b, const Names& c) {
  Names all = {allocate<char*>(a.count + b.count + c.count), 0};
  for (const Names& list : {a, b, c})
    for (int i = 0; i < list.count; ++i) all.names[all.count++] = list.names[i];
  return all;
}

char* comma_list(const char* const* words, int count) {
  StringInfoData list;
  initStringInfo(&list);
  for (int i = 0; i < count; ++i) appendStringInfo(&list, "%s%s", i > 0 ? ", " : "", words[i]);
  return list.data;
}

ArrayType* text_array(const Names& names) {
  auto* texts = allocate<Datum>(names.count);
  for (int i = 0; i < names.count; ++i) texts[i] = CStringGetTextDatum(names.names[i]);
  return construct_array(texts, names.count, TEXTOID, -1, false, TYPALIGN_INT);
}

}  // namespace anonkit::pg
