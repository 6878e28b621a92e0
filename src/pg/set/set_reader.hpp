#pragma once

#include <vector>

#include "model/linked_records.hpp"

#include "pg/read/value_ranks.hpp"
#include "pg/set/set_tables.hpp"

namespace anonkit::pg {

/// A table of a set as it was read. Plain data.
struct SetTableRows {
  int64 rows;
  ValueRanks* qi;           ///< one for each quasi-identifier
  ValueRanks* sensitive;    ///< one for each sensitive column
  int32** protected_codes;  ///< by sensitive column: see set_protected.hpp; null without any
  int32* label;             ///< by row, its class by the quasi-identifiers
  int32* parent_row;        ///< by row, its row in the parent, or -1; null for the root
  int32* person;            ///< by row, its person
};

/// Related tables as they were read. Plain data.
struct SetRows {
  SetTables set;
  SetTableRows* tables;
  int32 persons;
  /// False if the root has several rows of a person. Then persons are above the root.
  bool root_has_persons;
};

/// Reads each table once, with the caller's rights, under the snapshot of the call. Errors name the
/// table: a key that is not unique, rows without a parent, rows whose parent and whose own key lead
/// to different persons; no rows in the root; values whose types cannot be compared.
SetRows read_set_rows(const SetTables& set, MemoryCount* memory);

/// The rows of a table in a spool. Plain data.
struct SpooledTable {
  Tuplestorestate* spool;
  TupleDesc descriptor;
  const AttrNumber* columns;  ///< of the table, by place in the spool
  int column_count;
};

/// Reads the keys of tables without quasi-identifiers and sensitive columns from spools with the
/// tables' rows, so that rows have the numbers that they have there. Reads each spool once more.
SetRows read_spooled_keys(const SetTables& set, const SpooledTable* spools, MemoryCount* memory);

/// The tables as the judge sees them. If persons are above the root, their table comes first.
std::vector<JudgedTable> judged_tables(const SetRows& rows);

}  // namespace anonkit::pg
