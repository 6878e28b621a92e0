#pragma once

// Tells the rows that a refresh wrote into a table that stays, from those that other code wrote
// meanwhile: the places of a release with a key, the tables of a set that grows. A source, a policy
// or an index runs its owner's code in the session of the refresh, after the rows were verified.
// Readers would see what it wrote.
//
//   RowGuard guard = guard_rows(table);  // before the rows are read
//   guard.own[0] = next_command();       // then one statement that writes rows
//   require_guarded(guard);              // once they are written and judged

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// Plain data.
struct RowGuard {
  Oid table;
  Oid file;          ///< TRUNCATE and a rewriting ALTER TABLE exchange it
  CommandId since;   ///< the first command that writes after the guard began
  CommandId own[3];  ///< the refresh's own commands, or InvalidCommandId
  bool has_frozen;   ///< frozen rows may be of this transaction, by a TableWriter
};

RowGuard guard_rows(Oid table);

/// The command of the next statement: no other one has its number, whatever code it runs.
CommandId next_command();

/// An error if other commands of this transaction, or transactions that the active snapshot does
/// not see, wrote or removed rows. Costs a scan.
void require_guarded(const RowGuard& guard);

}  // namespace anonkit::pg
