#pragma once

// The companion of a release: one table of the release's owner beside it, for everything that only
// the owner may read. A row has an item ('figures', 'run', 'state') and a number.
//
// Invariants: a companion has its final privileges before its first row. The default of its column
// `release` is a constant, the release: pg_depend leads from the release to it, and a dump restores
// it. An automatic dependency lets DROP of the release take the companion along.
//
// Rows are read and written on the heap, after a check of the table under a lock. So no function of
// a user runs, and no statement or parameter in a log holds a value.
//
//   const Oid companion = require_companion(release);  // the release is locked
//   write_companion(companion, "figures", 0, content, nullptr);

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// The values of a row, in the current memory context; null where absent. Plain data.
struct CompanionRow {
  bool found;
  TimestampTz at;
  Jsonb* content;
  bytea* bytes;
};

/// Makes the companion of a release as the release's owner, and locks it.
Oid create_companion(Oid release);

/// The only table that passes the check, locked in AccessShareLock; InvalidOid without one, or
/// while another session excludes readers. Never an error.
Oid find_companion(Oid release);

/// The companion, locked in AccessShareLock; InvalidOid without one. Waits for sessions that
/// exclude readers. Errors (object_not_in_prerequisite_state) if a table fails the check, or two
/// pass it.
Oid await_companion(Oid release);

/// The companion as await_companion has it. Makes one where there is none. The release must be
/// locked.
Oid require_companion(Oid release);

/// The row as last committed, or as written by this transaction.
CompanionRow read_companion(Oid companion, const char* item, int64 number);

/// True if the active snapshot sees the row as it was last committed, or has none either.
bool sees_companion_row(Oid companion, const char* item, int64 number);

using CompanionRowFunction = void (*)(int64 number, const CompanionRow& row, void* state);

/// Passes the rows of an item in the order of their numbers.
void for_each_companion_row(Oid companion, const char* item, CompanionRowFunction function,
                            void* state);

/// Inserts or replaces a row. Excludes other writers until the transaction ends.
void write_companion(Oid companion, const char* item, int64 number, Jsonb* content, bytea* bytes);

/// Removes a row, if it exists. Excludes other writers until the transaction ends.
void remove_companion_row(Oid companion, const char* item, int64 number);

/// Lets a plain DROP of the release take the table along, unless it does already.
void depend_on_release(Oid table, Oid release);

/// Makes a table as a whole depend on the users' types and collations of its columns. DROP TYPE
/// CASCADE drops the column of a table that has no such dependency after the table, if a view of it
/// takes the table along: that fails.
void depend_on_types(Oid table);

/// Lets a plain DROP of a restored release take its companion along, as it is.
void tie_companion(Oid release);

}  // namespace anonkit::pg
