#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

// Values of a companion's content by key. Its owner may have written anything, so a key that is
// absent, or has a value of another type, is null or NaN, and never an error.

const char* text_at(Jsonb* content, const char* key);
double number_at(Jsonb* content, const char* key);
Jsonb* object_at(Jsonb* content, const char* key);

/// Whole numbers in an array, palloc'd. Plain data.
struct WholeNumbers {
  int64* list;
  int count;
};

/// The array of a key; empty if any element is not a whole number.
WholeNumbers whole_numbers_at(Jsonb* content, const char* key);

}  // namespace anonkit::pg
