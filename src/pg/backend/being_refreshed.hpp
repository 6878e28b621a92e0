#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// An error if this session refreshes the relation already: code of its own source, or of an index,
/// refreshes it again. The current memory context ends the refresh. `what` it is and its name stand
/// in the error.
void begin_refresh(Oid relation, const char* what, const char* name);

}  // namespace anonkit::pg
