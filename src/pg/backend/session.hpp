#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// What one call of an SQL function opens: a connection to SPI, and a memory context that holds
/// everything the call makes, current while the session lasts. After an error the backend cleans
/// both up itself. Plain data.
struct Session {
  MemoryContext context;
  MemoryContext outer;
};

Session open_session();
void close_session(const Session& session);

/// The first argument of a function, a relation; an error if it is null or does not exist.
Oid relation_argument(FunctionCallInfo fcinfo);

/// "schema"."name" of a relation, quoted.
char* qualified_name_of(Oid relation);

/// Runs a command that must succeed with the given SPI result.
void execute(const char* command, int expected);

/// Runs a command like `execute`, but under the active snapshot and not under one that is new.
void execute_under_snapshot(const char* command, int expected);

/// Called for every row of a query, all attributes of the slot being there, in a memory context
/// that is emptied after the row.
using RowFunction = void (*)(TupleTableSlot* slot, void* state);

/// Runs a query with the caller's privileges and snapshot and hands over its rows as the executor
/// makes them: nothing is copied or kept.
void for_each_row(const char* query, RowFunction function, void* state,
                  ParamListInfo parameters = nullptr);

/// An uninitialised array in the current memory context, which may be larger than 1 GB.
template <class T>
T* allocate(int64 count) {
  return static_cast<T*>(MemoryContextAllocHuge(
      CurrentMemoryContext, sizeof(T) * static_cast<std::size_t>(count < 1 ? 1 : count)));
}

/// Gives an array another size, wherever it was allocated.
template <class T>
void resize(T*& array, int64 count) {
  array = static_cast<T*>(repalloc_huge(array, sizeof(T) * static_cast<std::size_t>(count)));
}

}  // namespace anonkit::pg
