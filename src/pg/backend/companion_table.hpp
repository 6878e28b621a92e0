#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// Columns of a companion, in order.
constexpr int kCompanionColumns = 6;
constexpr AttrNumber kCompanionItem = 1, kCompanionNumber = 2, kCompanionAt = 3,
                     kCompanionContent = 4, kCompanionBytes = 5, kCompanionRelease = 6;

/// True if most columns have the names of a companion's.
bool resembles_companion(Oid table);

/// The release that the default of column `release` names, or InvalidOid.
Oid release_of_companion(Relation table);

/// The index of the primary key; InvalidOid if it is not as made, or the table has an index on
/// other columns.
Oid key_of_companion(Relation table);

/// The difference between the table and the companion of this release, as the predicate of a
/// sentence; null if there is none. The table must be locked.
const char* companion_fault(Relation table, Oid release, Oid owner);

/// Raises object_not_in_prerequisite_state for such a difference.
[[noreturn]] void refuse_companion(Relation table, Oid release, const char* fault);

}  // namespace anonkit::pg
