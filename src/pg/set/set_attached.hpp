#pragma once

// Objects that others have attached to the released tables. A refresh that exchanges whole files
// would leave these unchecked, or refer to rows that are gone; one that adds rows would run them.

#include "pg/release/set_query.hpp"

namespace anonkit::pg {

/// An error (object_not_in_prerequisite_state) that names the table and the object if a released
/// table has a CHECK constraint, a foreign key from or to a table outside of the set, or parents,
/// children or partitions.
void refuse_attached(const SetQuery& set);

/// An error of that kind for a trigger, a rule or a forced policy, which could change the rows that
/// are added to a table, and for a deferred constraint. It must be locked.
void refuse_attached_code(Oid released);

}  // namespace anonkit::pg
