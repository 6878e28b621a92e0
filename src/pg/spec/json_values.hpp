#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

// The values of a spec's keys, checked for type and domain; errors name the key.

[[noreturn]] void wrong_type(const char* key, const char* wanted);

/// The value of a key; null if there is none.
const JsonbValue* value_of_key(Jsonb* json, const char* key);
/// Like strcmp.
int compare_numbers(Numeric a, Numeric b);

/// Like strcmp; the scale of numbers does not matter.
int compare_values(const JsonbValue& a, const JsonbValue& b);

double number(const char* key, const JsonbValue& value);
int32 positive_integer(const char* key, const JsonbValue& value);
double not_negative(const char* key, const JsonbValue& value);
double positive(const char* key, const JsonbValue& value);
double at_least_one(const char* key, const JsonbValue& value);
double finite(const char* key, const JsonbValue& value);
/// Above 0 and at most 1.
double above_0_to_1(const char* key, const JsonbValue& value);
/// Above 0 and below 1.
double between_0_and_1(const char* key, const JsonbValue& value);
/// From 0 to 1.
double from_0_to_1(const char* key, const JsonbValue& value);
bool truth(const char* key, const JsonbValue& value);

/// The index of a text among the choices.
int choice_of(const char* key, const JsonbValue& value, const char* const* choices, int count);
template <int N>
int choice(const char* key, const JsonbValue& value, const char* const (&choices)[N]) {
  return choice_of(key, value, choices, N);
}

/// The value, which must be an array; `wanted` names its elements in the error.
const JsonbValue& array_of(const char* key, JsonbValue& value, const char* wanted);
int elements(const JsonbValue& array);
const JsonbValue& element(const JsonbValue& array, int place);
char* text_of(const JsonbValue& value);
/// The value, which must be a text; `wanted` names it in the error.
char* text_value(const char* key, const JsonbValue& value, const char* wanted);
bool is_object(const JsonbValue& value);
/// The next member of an object; false at its end. Values are not entered.
bool next_member(JsonbIterator** it, char** key, JsonbValue* value);

/// A list of names, palloc'd.
struct Names {
  char** names;
  int count;
};

/// The texts of an array; `wanted` names its elements in the error.
Names names_of(const char* key, const JsonbValue& value,
               const char* wanted = "an array of column names");

/// Concatenates the lists.
Names joined(const Names& a, const Names& b, const Names& c = {nullptr, 0});
/// The words, separated by commas.
char* comma_list(const char* const* words, int count);
/// The names as a text[].
ArrayType* text_array(const Names& names);

}  // namespace anonkit::pg
