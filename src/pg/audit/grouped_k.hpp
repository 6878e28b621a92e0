#pragma once

#include "pg/backend/boundary.hpp"
#include "pg/spec/spec.hpp"

namespace anonkit::pg {

/// True if the stored rows of a relation take more bytes than anonkit.max_memory. Then an audit
/// does not hold them in memory.
bool is_larger_than_memory(Oid relation);

/// True if adjacent rows are equal in runs of at least k. Then no class is smaller than k, since it
/// is a union of runs; a release is stored class by class. False says nothing. Requires an SPI
/// session. Memory: one row.
bool runs_reach(Oid relation, const Names& qi, int64 k);

/// The k of the relation: the size of its least class, counted by GROUP BY, which writes to disk
/// what does not fit in memory. Requires an SPI session. An error without rows.
int64 grouped_k(Oid relation, const Names& qi);

}  // namespace anonkit::pg
