#pragma once

// The schema of a linked release: its tables, written under pseudonyms, with keys and indexes.
//
// The schema and the tables belong to the current role, and nobody else has a right to them before
// the first row is written. Rows are written in the order of the pseudonyms. Then come primary and
// foreign keys, an index on each column that refers to another table, NOT NULL and comments.

#include "pg/release/run.hpp"
#include "pg/set/set_keys.hpp"

namespace anonkit::pg {

/// A set that is ready to be written. Plain data.
struct PreparedSet {
  const SetRows* rows;      ///< with keys only
  const SetTables* tables;  ///< as described
  const Run* runs;          ///< by table, with cells
  const KeyColumns* keys;
  const Pseudonyms* pseudonyms;
  const char* const* names;  ///< of the tables to be written
};

/// Makes the schema with its tables and rows. Returns its OID.
Oid write_set(const char* name, const PreparedSet& set);

/// Table t of a set that was just made. An error unless it is as the set describes it: rows of
/// other columns could not be written into it or read from it.
Oid made_table(const PreparedSet& set, int t, Oid schema);

/// Writes the rows into tables with the columns of the released ones, which no other session sees.
/// An error (not_null_violation) for a null where the released one is NOT NULL.
void write_rows_into(const Oid* tables, const Oid* released, const PreparedSet& set);

/// An error (datatype_mismatch) unless a released table still has the columns of the set's table t,
/// with their types and in their order.
void require_columns(Oid released, const PreparedSet& set, int t);

}  // namespace anonkit::pg
