#pragma once

#include "pg/backend/session.hpp"
#include "pg/backend/user_query.hpp"

namespace anonkit::pg {

/// Passes on each row of a query over a relation, of those that satisfy a condition in SQL if it is
/// not null. The rows of a distributed release are counted on the servers that have them, and equal
/// ones come one after another. Requires columns, not expressions.
void for_each_row_of(UserQuery& query, Oid relation, const char* condition, RowFunction function,
                     void* state);

}  // namespace anonkit::pg
