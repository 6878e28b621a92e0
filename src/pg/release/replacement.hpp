#pragma once

#include "pg/release/release.hpp"

namespace anonkit::pg {

// The new rows of a release without a key, in a table of their own, until they replace the old
// ones. REFRESH MATERIALIZED VIEW excludes readers while it writes. Here the rows are written and
// checked first, and readers wait for the exchange of two files and for indexes alone.
//
//   const Replacement rows = write_replacement(release, *prepared);  // under ExclusiveLock
//   assert_release(rows.table, ...);  // the rows that readers will see
//   replace_rows(release, rows);      // locks out readers until commit

/// A table with the columns and the owner of a release, and with its new rows. Other sessions do
/// not see it. Plain data.
struct Replacement {
  Oid table;
  uint64 rows;
  Figures figures;
};

/// Throws datatype_mismatch for a column, as a message names it.
[[noreturn]] void refuse_type(const char* column, const FormData_pg_attribute& before,
                              const FormData_pg_attribute& now);

/// Throws object_not_in_prerequisite_state if rows have a defined name in another place.
void require_order(const List* defined, TupleDesc rows);

/// Throws datatype_mismatch unless the rows have the types of the release's columns: those of the
/// source can change.
void require_types(Oid release, TupleDesc rows);

/// False if the rows of the release were replaced, or changed by REFRESH CONCURRENTLY, after the
/// active snapshot was taken. Reads them once, unless the file tells. Requires a lock that keeps
/// writers out.
bool has_present_rows(Oid release);

/// True if a transaction that the snapshot does not see has written or removed a row, and
/// committed.
bool was_changed_after(Snapshot snapshot, HeapTupleHeader row);

/// Writes a prepared release into a new table: the rows that the release's query would return.
/// Requires ExclusiveLock on the release. Errors: those of require_types; the release is in use in
/// this session.
Replacement write_replacement(Oid release, PreparedRelease& prepared);

/// An empty table with the columns and the owner of a relation, locked. Other sessions do not see
/// it. An error if the relation is in use in this session, in the words of a command.
Oid make_replacement(Oid relation, const char* command);

/// An error, by the name, unless a table has the rows that were written into it, and no others. An
/// audit can run code of the owner, which may change rows that the audit's snapshot shows as they
/// were. Costs a scan.
void require_untouched(Oid written, uint64 rows, const char* name);

/// Gives a relation that is locked against readers the rows of its replacement, rebuilds its
/// indexes, and drops the replacement. Errors: those of unique indexes, without rows.
void exchange_files(Oid relation, Oid replacement, uint64 rows, const char* command);

/// While it lasts, errors of unique indexes name no key and no row. Plain data, on the stack; an
/// error ends it, too.
struct HiddenRows {
  ErrorContextCallback callback;
};
void begin_hiding_rows(HiddenRows& hidden);
void end_hiding_rows(const HiddenRows& hidden);

/// Locks the release against readers, gives it the new rows, rebuilds its indexes and drops the
/// table. Errors: those of unique indexes.
void replace_rows(Oid release, const Replacement& rows);

}  // namespace anonkit::pg
