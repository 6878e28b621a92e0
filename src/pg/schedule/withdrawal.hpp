#pragma once

// Rights to read a release that a failed run withdraws, and a later success restores.
//
// A right is an entry of an access list: grantee, grantor, SELECT, perhaps with its grant option,
// on the release or on one column. Withdrawing leaves the entry in its list without the right
// (bob=/owner). It is the place of the right: a GRANT by hand fills it, a REVOKE by hand or DROP
// OWNED removes it, and then nothing is restored. If the entry holds other rights (bob=w/owner),
// REVOKE leaves no trace in it. Such a right is restored only if nothing has changed the list's
// catalog row since.
//
// Withdrawn rights are in item 'withdrawn' of the companion, by OIDs of roles. They count in the
// same cluster only.
//
// A refresh writes the catalog row of a materialized view. So rights are restored before it, in its
// transaction, and once more after it: another run may have withdrawn rights meanwhile. Locks come
// in one order: the release as its refresh locks it, its companion, the catalog row.
//
//   restore_rights(release, companion);                   // before a refresh
//   forget_withdrawn(release, companion);                 // after its success
//   run.withdrawn = withdraw_rights(release, companion);  // after its failure

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// Takes, when the caller has its turn, SELECT on the release and its columns from everybody but
/// the owner. Returns the number of rights taken now; those that an earlier failure took stay
/// withdrawn.
int withdraw_rights(Oid release, Oid companion);

/// Gives back what withdraw_rights took and nobody has changed since.
void restore_rights(Oid release, Oid companion);

/// Restores rights, and forgets those that cannot be restored.
void forget_withdrawn(Oid release, Oid companion);

}  // namespace anonkit::pg
