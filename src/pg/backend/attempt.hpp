#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// Runs work in a subtransaction. Null after a success. After an error its effects are undone, and
/// the error is returned in the current memory context. A cancel is an error, too.
ErrorData* attempt(void (*work)(void* state), void* state);

}  // namespace anonkit::pg
