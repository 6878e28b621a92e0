#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

// The query of a release names every table of labels, and the population, as a regclass constant.
// PostgreSQL records the dependency: the table cannot be dropped under the release, but may be
// renamed. So the query's spec holds the number of the constant where the user's spec holds a name:
//   {"table": "diagnoses"}   from the user
//   {"table": 1}             in the query, whose first constant is 'public.diagnoses'::regclass

/// The relations that a query names beside its source. Plain data, palloc'd.
struct NamedTables {
  Oid* tables;
  int count;
};

/// Replaces names by numbers, and adds each relation to `tables` once. Error: no such relation.
Jsonb* places_for_tables(Jsonb* spec, NamedTables& tables);

/// Replaces numbers by names, qualified and quoted. Error: a number without a relation.
Jsonb* names_for_tables(Jsonb* spec, const NamedTables& tables);

/// True if names_for_tables has a name for every number.
bool names_all_tables(Jsonb* spec, const NamedTables& tables);

/// An argument of type regclass[] without nulls.
NamedTables named_tables(Datum array);

}  // namespace anonkit::pg
