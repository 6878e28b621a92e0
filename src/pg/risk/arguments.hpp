#pragma once

#include "pg/spec/spec.hpp"

namespace anonkit::pg {

// The arguments of the functions that measure risk and utility, by the names they declare.

/// The relation of a mandatory argument, or of an optional one (InvalidOid if it is missing).
Oid required_relation(FunctionCallInfo fcinfo, const char* name);
Oid optional_relation(FunctionCallInfo fcinfo, const char* name);
/// An array of column names, at least `least` of them. Null counts as empty.
Names names_argument(FunctionCallInfo fcinfo, const char* name, int least);
/// A text, or null.
char* text_argument(FunctionCallInfo fcinfo, const char* name);
/// Numbers within bounds; `missing` replaces null, unless it is NaN.
double number_argument(FunctionCallInfo fcinfo, const char* name, double least, double greatest,
                       double missing);

}  // namespace anonkit::pg
