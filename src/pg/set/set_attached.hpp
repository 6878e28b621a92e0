#pragma once

// Objects that others have attached to the released tables. A refresh exchanges whole files, so it
// would leave these unchecked, or refer to rows that are gone.

#include "pg/release/set_query.hpp"

namespace anonkit::pg {

/// An error (object_not_in_prerequisite_state) that names the table and the object if a released
/// table has a CHECK constraint, a foreign key from or to a table outside of the set, or parents,
/// children or partitions.
void refuse_attached(const SetQuery& set);

}  // namespace anonkit::pg
