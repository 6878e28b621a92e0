#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// The resources of one SQL function call: a connection to SPI, and a memory context, current
/// during the session, that holds all allocations. After an error the backend releases both. Plain
/// data.
struct Session {
  MemoryContext context;
  MemoryContext outer;
};

Session open_session();
void close_session(const Session& session);

/// A copy of a value in another memory context, such as that of the session's caller.
void* copied(const void* value, MemoryContext context);

/// An error (read_only_sql_transaction) on a standby, and in a transaction that may not write. Not
/// all that a call writes goes through commands, which PostgreSQL would refuse itself.
///
/// @param call for the message, as in anon_refresh().
void require_writable(const char* call);

/// An error (undefined_table) if there is no relation with that OID: a regclass may be any number.
void require_relation(Oid relation);

/// Opens a relation under AccessShareLock, and remembers its columns (described.hpp). An error
/// (undefined_table) if another session has dropped it meanwhile.
Relation open_relation(Oid relation);
/// Locks it likewise until the transaction ends.
void hold_relation(Oid relation);
/// The error about such a relation.
[[noreturn]] void refuse_dropped(Oid relation);

/// True if this transaction has read or written the relation.
bool has_used(Oid relation);

/// The relation in a function's first argument; an error if it is null or does not exist.
Oid relation_argument(FunctionCallInfo fcinfo);

/// The relation of a name as SQL writes it, in the search path; an error (undefined_table) without
/// one.
Oid relation_named(const char* name, LOCKMODE lock);

/// The name of a relation. An error (undefined_table) if it was dropped: code of another relation
/// can drop one that the session has locked itself.
char* relation_name(Oid relation);

/// "schema"."name" of a relation, quoted. An error if it was dropped.
char* qualified_name_of(Oid relation);

/// The name of a release that is proposed for a relation, quoted, without a schema: its own with
/// "_public".
char* proposed_release_of(Oid relation);

/// Runs a command that must succeed with the given SPI result.
void execute(const char* command, int expected);

/// Runs a command like `execute`, but under the active snapshot instead of a new one.
void execute_under_snapshot(const char* command, int expected);

/// Receives a row of a query with all attributes of the slot, in a memory context that is reset
/// after the row.
using RowFunction = void (*)(TupleTableSlot* slot, void* state);

/// Runs a query with the caller's privileges and snapshot, and passes each row from the executor to
/// the function without copying it.
void for_each_row(const char* query, RowFunction function, void* state,
                  ParamListInfo parameters = nullptr);

/// Runs a command with RETURNING that must succeed with the given SPI result, and passes each
/// returned row to the function.
void for_each_written_row(const char* command, int expected, RowFunction function, void* state);

/// Like RowFunction; returns false to end the query.
using RowPredicate = bool (*)(TupleTableSlot* slot, void* state);

/// for_each_row until the function wants no more.
void for_rows_while(const char* query, RowPredicate wants_more, void* state);

/// An uninitialised array in the current memory context, possibly above 1 GB.
template <class T>
T* allocate(int64 count) {
  return static_cast<T*>(MemoryContextAllocHuge(
      CurrentMemoryContext, sizeof(T) * static_cast<std::size_t>(count < 1 ? 1 : count)));
}

/// Resizes an array in its own memory context.
template <class T>
void resize(T*& array, int64 count) {
  array = static_cast<T*>(repalloc_huge(array, sizeof(T) * static_cast<std::size_t>(count)));
}

}  // namespace anonkit::pg
