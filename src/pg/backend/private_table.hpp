#pragma once

#include "pg/backend/boundary.hpp"

extern "C" {
#include "utils/acl.h"
}

namespace anonkit::pg {

/// The privileges on a relation; null if they were never changed, so that only the owner has any.
Acl* privileges_of(Oid relation);

/// The relation that a command of this call has just made as the current user. Event triggers run
/// at the end of such a command. An error if one has renamed, moved, dropped or given it away: the
/// call would go on as another role.
Oid made_relation(const char* name, Oid schema);

/// Revokes the rights that default privileges gave at the creation of a table, and reads back that
/// only the owner has any. Requires an SPI session. Called before the first row is written.
void leave_to_owner(Oid table);

/// An error if other roles have got a right to tables that were left to their owner: event triggers
/// that grant run at the end of later commands, too. Invalid OIDs are no tables.
void require_left(const List* tables);

/// An error unless a table that was just made is empty, and a plain one of the current user that
/// runs nobody's code. The writer of rows fires no triggers and looks at no constraints.
void require_as_made(Oid table);

/// Makes an empty table that only the current user may read. `columns` and `storage` are as in
/// CREATE TABLE. An error if an event trigger has added row-level security, triggers or rows.
/// Requires an SPI session.
Oid make_private_table(Oid schema, const char* name, const char* columns, const char* storage,
                       const char* comment);

/// An error that says what an event trigger has done to a relation that was just made.
[[noreturn]] void refuse_made(const char* name, const char* detail);

/// Revokes such rights to a schema that was just made.
void leave_schema_to_owner(Oid schema);

/// The reason why this is not a plain table of this owner that runs nobody's code when it is read,
/// as the predicate of a sentence; null if it is one. The table must be locked.
const char* private_table_fault(Relation table, Oid owner);

}  // namespace anonkit::pg
