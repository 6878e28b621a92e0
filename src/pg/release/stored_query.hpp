#pragma once

#include "pg/backend/pg.hpp"

extern "C" {
#include "nodes/parsenodes.h"
}

namespace anonkit::pg {

/// The query of a view or materialized view, as that relkind says; null for any other relation.
/// Read from the catalogs, without a lock.
Query* stored_query(Oid relation, char relkind);

/// True for SELECT ... FROM one item, perhaps with a condition, and not a word more.
bool is_plain(const Query* query);

}  // namespace anonkit::pg
