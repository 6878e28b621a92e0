#pragma once

#include "pg/backend/owners_work.hpp"

namespace anonkit::pg {

/// Starts to read a relation that another role has named, as in the options of its release: as that
/// role, in a security-restricted operation. The relation may be a view with functions of anybody.
/// Another caller than the role must be allowed to read all of it: an error otherwise
/// (insufficient_privilege), or if row-level security would hide rows from the caller
/// (feature_not_supported).
///
///   const OwnersWork work = begin_reading_for(release_owner, labels);
///   ...
///   end_reading_for(work);
///
/// @param role InvalidOid for a relation that the caller has named: nothing changes then
OwnersWork begin_reading_for(Oid role, Oid relation);
void end_reading_for(const OwnersWork& work);

/// The errors of begin_reading_for.
void require_readable(Oid role, Oid relation);

}  // namespace anonkit::pg
