#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// A value as hierarchies know it: as PostgreSQL writes it, in ISO style and UTC, whatever the
/// session's settings are; char(n) without the blanks that fill it up.
char* value_text(Oid base_type, Datum value);

/// A value of an integer type, numeric, float4 or float8 as the numeric that it is written as;
/// null if it is not finite.
Numeric exact_numeric(Oid type, Datum value);

/// A number in one spelling: 17 for 17.0 and 1.7e1. Null if the text is no number.
char* number_spelling(const char* text);

/// The one spelling of a numeric.
char* number_spelling(Numeric number);

/// The value of the type that a double of pg/read/block.hpp stands for. Numerics have the shortest
/// text that reads back as the double, not the fifteen digits of a cast.
Datum value_of_number(Oid type, int32 typmod, double number);

}  // namespace anonkit::pg
