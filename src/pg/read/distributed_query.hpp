#pragma once

// Recognises the query of a distributed release: a view of a table of published rows,
// whose condition names source, spec and layout.
//
//   SELECT published.a, published.b FROM rows AS published
//   WHERE anon_distributed_spec('tbl'::regclass, '{...}'::jsonb, '{...}'::jsonb)
//
// anon_distributed_spec is immutable and true, so the planner removes it.

#include "pg/backend/boundary.hpp"

extern "C" {
#include "utils/jsonb.h"
}

namespace anonkit::pg {

/// The contents of the query of a distributed release. Plain data.
struct DistributedQuery {
  Oid source;
  Jsonb* spec;
  Jsonb* layout;  ///< how the rows are divided into parts
  Oid rows;       ///< the table of published rows
};

/// Reads the query of a relation from the catalogs, without a lock. False if the relation is not a
/// distributed release.
bool read_distributed(Oid relation, DistributedQuery& query);
bool is_distributed(Oid relation);

}  // namespace anonkit::pg
