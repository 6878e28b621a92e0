#pragma once

#include "boundary.hpp"

namespace anonkit::pg {

/// What one call of an SQL function opens: a connection to SPI, and a memory context that holds
/// everything the call makes, current while the session lasts. After an error the backend cleans both
/// up itself. Plain data.
struct Session {
  MemoryContext context;
  MemoryContext outer;
};

Session open_session();
void close_session(const Session& session);

/// The argument `tbl` or `rel`, the first of every function; an error if it is null or no relation.
Oid relation_argument(FunctionCallInfo fcinfo);

/// Runs a command that must succeed with the given SPI result.
void execute(const char* command, int expected);

}  // namespace anonkit::pg
