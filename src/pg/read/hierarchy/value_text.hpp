#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// A value as hierarchies know it: PostgreSQL's output in ISO style and UTC under any settings;
/// char(n) without padding.
char* value_text(Oid base_type, Datum value);

/// The text of the type's output function; of char(n) without padding.
char* unpadded_output(Oid type, Datum value);

/// A value of an integer type, numeric, float4 or float8 as the numeric of its output; null if it
/// is not finite.
Numeric exact_numeric(Oid type, Datum value);

/// A number in canonical form: 17 for 17.0 and 1.7e1. Null if the text is not a number.
char* number_spelling(const char* text);

/// The canonical form of a numeric.
char* number_spelling(Numeric number);

/// The type's value for a double of pg/read/block.hpp. Numerics get the shortest text that reads
/// back as the double, not the fifteen digits of a cast.
Datum value_of_number(Oid type, int32 typmod, double number);

}  // namespace anonkit::pg
