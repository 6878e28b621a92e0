#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// Builds one flat jsonb object, key by key. Plain data; palloc'd in the current memory context.
class JsonObject {
 public:
  JsonObject();

  void add(const char* key, const char* text);
  void add(const char* key, double number);
  void add(const char* key, int64 number);
  void add(const char* key, bool truth);
  void add_null(const char* key);
  void add_array(const char* key, ArrayType* array);
  void add_value(const char* key, JsonbValue* value);
  /// Adds a value of any type in the format of to_jsonb.
  void add_datum(const char* key, Datum value, Oid type);
  Jsonb* finish();

 private:
  void add_key(const char* key);

  JsonbParseState* state_ = nullptr;
};

}  // namespace anonkit::pg
