#pragma once

// Tells the rows of places that a refresh wrote from those that other code wrote meanwhile. A
// source, a policy or an index runs its owner's code in the session of the refresh, after the
// places were compared with their seal. What it wrote would be shown until the next refresh.
//
//   PlacesGuard guard = guard_places(places);  // before the places are read
//   guard.own[0] = next_command();             // then one statement that writes places
//   require_guarded(guard);                    // once they are written and judged

namespace anonkit::pg {

/// Plain data.
struct PlacesGuard {
  Oid places;
  Oid file;          ///< TRUNCATE and a rewriting ALTER TABLE exchange it
  CommandId since;   ///< the first command that writes after the places were read
  CommandId own[3];  ///< the refresh's own commands, or InvalidCommandId
};

PlacesGuard guard_places(Oid places);

/// The command of the next statement: no other one has its number, whatever code it runs.
CommandId next_command();

/// An error if other commands of this transaction, or transactions that the active snapshot does
/// not see, wrote or removed rows. Costs a scan.
void require_guarded(const PlacesGuard& guard);

}  // namespace anonkit::pg
