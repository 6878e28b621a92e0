#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// True if the function belongs to this extension and its code is the given symbol of the library.
/// A name alone proves nothing: other users may create functions of that name, even in the same
/// schema.
bool is_extension_function(Oid function, const char* symbol);

/// The extension's function whose name and symbol are `symbol`; InvalidOid without one.
Oid extension_function(const char* symbol);

/// The extension's only function of a name, in whatever language; an error without one.
Oid extension_function_named(const char* name);

/// The schema of the extension, quoted.
char* extension_schema();

}  // namespace anonkit::pg
