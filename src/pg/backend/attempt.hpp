#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// Runs work in a subtransaction. Null after a success. After an error its effects are undone, and
/// the error is returned in the current memory context. A cancel is an error, too.
ErrorData* attempt(void (*work)(void* state), void* state);

/// The name of the class of an error's SQLSTATE, as PostgreSQL's manual has it.
const char* class_of_error(int sqlerrcode);

/// The text of an error for readers beside the caller: a history, or the log of a scheduler. An
/// error that this module did not raise (of a source's function, a cast, an index) may hold a value
/// of the source, so its SQLSTATE alone remains.
const char* public_message(const ErrorData& error);

/// Raises an error again with its public text.
[[noreturn]] void raise_publicly(const ErrorData& error);

}  // namespace anonkit::pg
