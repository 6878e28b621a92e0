#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// Builds a jsonb object, key by key. Plain data; palloc'd in the current memory context.
class JsonObject {
 public:
  JsonObject();

  void add(const char* key, const char* text);
  void add(const char* key, double number);
  void add(const char* key, int64 number);
  void add(const char* key, bool truth);
  void add_null(const char* key);
  /// Null for a number that JSON does not have.
  void add_or_null(const char* key, double number);
  void add_or_null(const char* key, const char* text);
  void add_array(const char* key, ArrayType* array);
  void add(const char* key, Jsonb* json);
  void add_value(const char* key, const JsonbValue* value);
  /// Adds a value of a scalar type.
  void add_datum(const char* key, Datum value, Oid type);
  /// Adds a cell of a user's relation as to_jsonb does. A value that consists of users' types is
  /// its text: to_jsonb would look for casts to json, which are functions of other users.
  void add_cell(const char* key, Datum value, Oid type);
  Jsonb* finish();

 private:
  void add_key(const char* key);

  JsonbParseState* state_ = nullptr;
};

/// Builds a jsonb array, element by element. Plain data.
class JsonArray {
 public:
  JsonArray();

  void add(const char* text);
  void add(Jsonb* json);
  Jsonb* finish();

 private:
  JsonbParseState* state_ = nullptr;
};

/// The members of both objects; those of the second replace those of the first.
Jsonb* joined(Jsonb* first, Jsonb* second);

/// The SHA-256 of an object's text in UTF-8, in hexadecimal digits.
char* fingerprint_of(Jsonb* json);

/// The object without a key.
Jsonb* without(Jsonb* json, const char* key);

}  // namespace anonkit::pg
