#pragma once

#include "pg/spec/named_tables.hpp"

extern "C" {
#include "nodes/parsenodes.h"
#include "nodes/primnodes.h"
}

namespace anonkit::pg {

/// The query of a view or materialized view, as that relkind says; null for any other relation.
/// Read from the catalogs, without a lock.
Query* stored_query(Oid relation, char relkind);

/// True for SELECT ... FROM one item, perhaps with a condition, and not a word more.
bool is_plain(const Query* query);

/// The only item of a plain query, if it is a table; InvalidOid for any other.
Oid only_table(const Query* query);

/// The number of columns that a plain query shows, if these are columns of its only item, unchanged
/// and in order, without so many first ones; -1 for any others.
int columns_in_order(const Query* query, int left_out);

/// The element of a list, if it is a constant of the type; else null.
const Const* constant_at(const List* list, int place, Oid type);

/// Reads the element of a list, an array of relations. False unless each is a constant, on which
/// the view depends.
bool tables_at(const List* list, int place, NamedTables& tables);

}  // namespace anonkit::pg
