#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// True if the function belongs to this extension and its code is the given symbol of the library.
/// A name alone proves nothing: others may create functions of that name, in the same schema too.
bool is_extension_function(Oid function, const char* symbol);

/// The extension's function of that symbol, whose name is the symbol's; InvalidOid if there is
/// none.
Oid extension_function(const char* symbol);

}  // namespace anonkit::pg
