#pragma once

#include "pg/backend/boundary.hpp"

extern "C" {
#include "utils/acl.h"
}

namespace anonkit::pg {

/// The privileges on a relation; null if they were never changed, so that only the owner has any.
Acl* privileges_of(Oid relation);

/// Revokes the rights that default privileges gave at the creation of a table, and reads back that
/// only the owner has any. Requires an SPI session. Called before the first row is written.
void leave_to_owner(Oid table);

/// Revokes such rights to a schema that was just made.
void leave_schema_to_owner(Oid schema);

/// The reason why this is not a plain table of this owner that runs nobody's code when it is read,
/// as the predicate of a sentence; null if it is one. The table must be locked.
const char* private_table_fault(Relation table, Oid owner);

}  // namespace anonkit::pg
