#pragma once

// Related tables as their user describes them: an object with a member for each table.
//
// The tables are a tree. Parents come from the foreign keys of the catalog; the description names
// them where there are several or none, as for views. A table that refers to the root and to
// another table hangs on the other one, and its rows without such a parent on the person.
//
//   {"patients":   {"qi": ["sex", "birth_year"]},
//    "admissions": {"qi": ["kind"], "sensitive": ["outcome"]},
//    "diagnoses":  {"qi": ["icd"], "parent": "admissions", "parent_key": ["admission_id"]}}

#include "pg/spec/json_values.hpp"

namespace anonkit::pg {

struct Spec;

/// Columns of a table that refer to columns of another one. Plain data.
struct KeyPair {
  AttrNumber* own;
  AttrNumber* other;
  int count;  ///< 0: no such reference
};

/// One of the related tables. Plain data.
struct SetTable {
  char* name;
  Oid relation;
  Names qi;
  Names sensitive;
  int parent;      ///< its place in the set; -1 for the root
  KeyPair up;      ///< to the parent
  KeyPair person;  ///< to the root, for rows without a parent
  /// The root's columns that identify a person; none if each row is a person.
  AttrNumber* person_columns;
  int person_column_count;
  Names keep;                  ///< to be published unchanged
  Names since_first;           ///< dates to be published as days; among the quasi-identifiers
  Names means;                 ///< numbers to be published as means
  int32 max_rows;              ///< of a person to be published, at most; 0: all
  Jsonb* options;              ///< the table's part of the description
  const Spec* protected_spec;  ///< protected values of sensitive columns; null: none
};

/// All of them, each after its parent. Plain data.
struct SetTables {
  SetTable* tables;
  int count;
};

/// Reads the description of tables of a schema, and locks them. Errors name the table: an unknown
/// table, key or column, a cycle, two roots, several parents or none.
SetTables read_set_tables(Oid schema, Jsonb* description);

/// Reads the description of tables that are to be published, from any schemas: a name without one
/// is looked up in the search path. It may also have keep, hierarchies, coarsen, since_first, means
/// and max_rows.
SetTables read_published_tables(Jsonb* description);

/// The columns of the primary key, in its order; null without one.
AttrNumber* primary_key(Relation relation, int* count);

/// An error that names the table.
[[noreturn]] void refuse_table(const char* table, const char* problem, const char* hint);

}  // namespace anonkit::pg
