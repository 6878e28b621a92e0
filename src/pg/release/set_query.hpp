#pragma once

// Writes and recognises the description of a linked release: a view in its schema.
//
//   SELECT anon_set_spec(ARRAY['clinic.patients'::regclass, 'clinic.stays'::regclass],
//                        ARRAY['public_clinic.patients'::regclass, ...], '{...}'::jsonb) AS
//                        released
//
// PostgreSQL records relation constants as dependencies, dumps them, and follows renamed relations.
// The first array has the sources, and then tables of labels; the second the released tables in the
// same order. The spec has the promises, and under "tables" by place, from 1, the options of each
// table, in which "parent" and tables of labels are places, too.
//
// Anybody can make such a view. So a reader of the catalogs checks that the schema and the released
// tables belong to the view's owner, and that the tables are in its schema.

#include "pg/spec/named_tables.hpp"

namespace anonkit::pg {

/// The most tables that a set has.
constexpr int kMostTables = 1000;

/// The contents of the description. Plain data.
struct SetQuery {
  Oid description;  ///< the view
  Oid schema;
  NamedTables sources;   ///< by table
  NamedTables released;  ///< by table
  NamedTables labels;
  Jsonb* spec;
};

/// The query of the view. The spec has places.
char* set_query(const SetQuery& set);

/// Reads the query of a relation from the catalogs, without a lock. False if the relation does not
/// describe a set.
bool read_set_query(Oid relation, SetQuery& set);

/// The options of a table with places in place of names. `parent` is its parent's place, from 0.
Jsonb* placed_options(Jsonb* options, int parent, NamedTables& labels);

/// The tables as anon_publish_set describes them, by the present names of their sources.
Jsonb* described_tables(const SetQuery& set);

/// The released tables as anon_audit_set describes them.
Jsonb* audited_tables(const SetQuery& set);

/// True if their audit reads tables of labels, those of protected values.
bool audits_labels(const SetQuery& set);

/// The spec with such a description, as lists of releases show it.
Jsonb* described_set(const SetQuery& set);

}  // namespace anonkit::pg
