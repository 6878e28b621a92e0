#pragma once

// Rows of new persons in the tables of a set that grows.

#include "pg/release/row_guard.hpp"
#include "pg/release/set_query.hpp"
#include "pg/set/set_work.hpp"

namespace anonkit::pg {

/// A refresh of a table, in the error of one that the session is reading.
constexpr char kRefreshTable[] = "refresh table";

/// The guards of a set's tables, before their rows are read.
RowGuard* guard_tables(const NamedTables& released);
/// The errors of require_guarded, of each table.
void require_guarded_tables(const RowGuard* guards, int count);

/// Writes the new rows beside the tables of the set, audits them alone, adds them, and audits the
/// tables as readers see them. `released` are the tables in the order of the work, locked against
/// writers before the snapshot was taken. Readers see all new rows when the transaction commits,
/// and never wait. Errors: those of require_columns, of refuse_attached, of refuse_attached_code
/// and of unique indexes; check_violation for a broken promise. The guards learn the statements
/// that add rows.
void append_rows(const SetQuery& set, const SetWork& work, const SetPromises& promises,
                 const Oid* released, RowGuard* guards);

}  // namespace anonkit::pg
