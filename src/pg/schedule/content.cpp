#include "pg/schedule/content.hpp"

#include <cmath>
#include <limits>

#include "pg/spec/json_values.hpp"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

const JsonbValue* value_at(Jsonb* content, const char* key, jbvType type) {
  if (content == nullptr || !JB_ROOT_IS_OBJECT(content)) return nullptr;
  const JsonbValue* value = value_of_key(content, key);
  return value != nullptr && value->type == type ? value : nullptr;
}

double as_double(const JsonbValue& value) {
  return DatumGetFloat8(
      DirectFunctionCall1(numeric_float8_no_overflow, NumericGetDatum(value.val.numeric)));
}

/// True if the element is a whole number that a double holds exactly.
bool is_whole(const JsonbValue* element) {
  constexpr double kMost = 9007199254740992;  // 2^53
  if (element == nullptr || element->type != jbvNumeric) return false;
  const double number = as_double(*element);
  return std::fabs(number) < kMost && number == std::floor(number);
}

}  // namespace

const char* text_at(Jsonb* content, const char* key) {
  const JsonbValue* value = value_at(content, key, jbvString);
  return value != nullptr
             ? pnstrdup(value->val.string.val, static_cast<Size>(value->val.string.len))
             : nullptr;
}

double number_at(Jsonb* content, const char* key) {
  const JsonbValue* value = value_at(content, key, jbvNumeric);
  return value != nullptr ? as_double(*value) : std::numeric_limits<double>::quiet_NaN();
}

Jsonb* object_at(Jsonb* content, const char* key) {
  const JsonbValue* value = value_at(content, key, jbvBinary);
  if (value == nullptr || !JsonContainerIsObject(value->val.binary.data)) return nullptr;
  return JsonbValueToJsonb(const_cast<JsonbValue*>(value));
}

WholeNumbers whole_numbers_at(Jsonb* content, const char* key) {
  const JsonbValue* value = value_at(content, key, jbvBinary);
  if (value == nullptr || !JsonContainerIsArray(value->val.binary.data)) return {nullptr, 0};
  JsonbContainer* array = value->val.binary.data;
  const int count = static_cast<int>(JsonContainerSize(array));
  WholeNumbers numbers = {static_cast<int64*>(palloc(sizeof(int64) * static_cast<Size>(count + 1))),
                          count};
  for (int i = 0; i < count; ++i) {
    const JsonbValue* element = getIthJsonbValueFromContainer(array, static_cast<uint32>(i));
    if (!is_whole(element)) return {nullptr, 0};
    numbers.list[i] = static_cast<int64>(as_double(*element));
  }
  return numbers;
}

}  // namespace anonkit::pg
