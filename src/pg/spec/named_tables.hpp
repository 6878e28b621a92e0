#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

// The query of a release names every table of labels as a regclass constant, which is a recorded
// dependency: the table cannot be dropped under the release, and may be renamed. So the query's
// spec holds the place of the constant where the user's holds a name:
//   {"table": "diagnoses"}   as it is asked for
//   {"table": 1}             in the query, whose first constant is 'public.diagnoses'::regclass

/// The relations that a query names beside its source. Plain data, palloc'd.
struct NamedTables {
  Oid* tables;
  int count;
};

/// Puts places for names, and adds the relations to `tables`, each once. Errors: no such relation.
Jsonb* places_for_tables(Jsonb* spec, NamedTables& tables);

/// Puts names for places, qualified and quoted. Errors: a place that there is not.
Jsonb* names_for_tables(Jsonb* spec, const NamedTables& tables);

/// An argument of type regclass[] without nulls.
NamedTables named_tables(Datum array);

}  // namespace anonkit::pg
