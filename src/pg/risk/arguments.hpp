#pragma once

#include "pg/spec/spec.hpp"

namespace anonkit::pg {

// The arguments of the functions that measure risk and utility, by the names they declare.

/// A relation that must be given, or may be left out (InvalidOid).
Oid required_relation(FunctionCallInfo fcinfo, const char* name);
Oid optional_relation(FunctionCallInfo fcinfo, const char* name);
/// An array of column names; `least` is how many there must be. Null is none.
Names names_argument(FunctionCallInfo fcinfo, const char* name, int least);
/// A text, or null.
char* text_argument(FunctionCallInfo fcinfo, const char* name);
/// Numbers within bounds; `missing` stands for null, unless it is NaN.
double number_argument(FunctionCallInfo fcinfo, const char* name, double least, double greatest,
                       double missing);

}  // namespace anonkit::pg
