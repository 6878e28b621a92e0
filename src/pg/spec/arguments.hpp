#pragma once

#include <initializer_list>

#include "pg/spec/spec.hpp"

namespace anonkit::pg {

// The arguments of SQL functions, by the names they declare.

/// An error for the first of these arguments that is null.
void require_arguments(FunctionCallInfo fcinfo, std::initializer_list<const char*> names);
/// The suppressed cells that argument "suppressed" names.
SuppressedCells suppressed_argument(FunctionCallInfo fcinfo);

/// The relation of a mandatory argument, or of an optional one (InvalidOid if it is missing).
Oid required_relation(FunctionCallInfo fcinfo, const char* name);
Oid optional_relation(FunctionCallInfo fcinfo, const char* name);
/// An array of different column names, at least `least` of them. Null counts as empty.
Names names_argument(FunctionCallInfo fcinfo, const char* name, int least);
/// A text, or null.
char* text_argument(FunctionCallInfo fcinfo, const char* name);
/// A truth value; null is false.
bool truth_argument(FunctionCallInfo fcinfo, const char* name);
/// Numbers within bounds; `missing` replaces null, unless it is NaN.
double number_argument(FunctionCallInfo fcinfo, const char* name, double least, double greatest,
                       double missing);
/// A whole number within bounds; never null.
int32 count_argument(FunctionCallInfo fcinfo, const char* name, int32 least,
                     int32 greatest = INT_MAX);
/// A number that has an older name, too. An error if both have values and differ; the older name
/// says nothing at its default.
double renamed_argument(FunctionCallInfo fcinfo, const char* name, const char* older, double least,
                        double greatest, double missing, double older_default);

}  // namespace anonkit::pg
