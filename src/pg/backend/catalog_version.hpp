#pragma once

// The agreement of the library with the extension's catalog.
//
// A package manager replaces the library, ALTER EXTENSION UPDATE the functions' declarations. In
// between, a function would find arguments and result columns that it does not expect.

#include "pg/backend/pg.hpp"

namespace anonkit::pg {

/// Ends with an error unless the extension that declares the called function has this library's
/// version. anon_release is exempt: its declaration never changes, and every release calls it. So
/// releases can be refreshed before the update. One look into the catalog for each session.
void require_current_catalog(FunctionCallInfo fcinfo);

}  // namespace anonkit::pg
