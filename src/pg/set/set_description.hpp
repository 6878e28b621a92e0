#pragma once

// A set as the catalogs know it: the view that describes it (set_query.hpp), and the companion of
// that view, with the figures that only the owner may read.

#include "pg/release/set_query.hpp"
#include "pg/set/set_work.hpp"

namespace anonkit::pg {

/// The schema in a function's first argument; an error if it is null or does not exist.
Oid schema_argument(FunctionCallInfo fcinfo);

/// The set of a schema. An error (wrong_object_type) if the schema has none, and
/// object_not_in_prerequisite_state if it has two.
SetQuery require_set(Oid schema);

/// require_set for a reader, who keeps the set from being dropped until the transaction ends.
SetQuery hold_set(Oid schema);

/// require_set for the owner of the set, which it locks until the transaction ends.
/// ShareUpdateExclusiveLock admits one refresh at a time.
SetQuery lock_set(Oid schema, LOCKMODE mode);

/// Keeps tables of a set from being renamed or moved until the transaction ends.
void hold_tables(const NamedTables& tables);

/// The place of a table; an error (object_not_in_prerequisite_state) if it is not among them.
int place_of(const NamedTables& tables, Oid table);

/// An error of place_of unless the tables that were found by name are these.
void require_same_tables(const NamedTables& tables, const SetTables& found);

/// The description of a set that is ready to be written. Names of tables of labels are looked up
/// in the search path. The released tables are still unknown.
SetQuery new_description(const SetWork& work, const SetPromises& promises);

/// Makes the view and its companion in the schema of the released tables.
void create_description(SetQuery& set);

/// The column that identifies the persons of a set that grows: a refresh adds new ones, and leaves
/// the rows of others as they are. Empty for another set.
Names key_of_set(const SetQuery& set);

/// Notes the figures of a set whose rows this transaction wrote.
void note_set(const SetQuery& set, const SetWork& work, const SetPromises& promises);

/// A released table as last noted. Plain data.
struct TableFigures {
  double rows;
  double withheld;
  double loss;   ///< NaN without cells
  double links;  ///< share of the pairs of rows of one person that cannot be joined any more
  double pairs;  ///< the number of these
};
/// The figures of the released table t; NaN where there is no note.
TableFigures read_table_figures(const SetQuery& set, int t);

}  // namespace anonkit::pg
