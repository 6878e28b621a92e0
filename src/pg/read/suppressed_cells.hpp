#pragma once

#include "pg/read/value_ranks.hpp"
#include "pg/spec/spec.hpp"

namespace anonkit::pg {

// Rows that another tool suppressed, between the last row that is read and settle_ranks.

/// The quasi-identifiers of rows that are being read. Plain data.
struct QuasiIdentifiers {
  const char** names;
  ValueRanks** ranks;
  int count;
};

/// Room for `count` of them.
QuasiIdentifiers make_quasi_identifiers(int count);

/// Makes suppressed cells null. `relation` tells which columns the user named; an error for one
/// that is no quasi-identifier. O(rows) for each column.
void suppress_cells(Oid relation, const SuppressedCells& cells, const QuasiIdentifiers& qi,
                    int64 rows);

/// True if all cells of a row are suppressed; a row without quasi-identifiers has none.
bool is_suppressed(const QuasiIdentifiers& qi, int64 row);

/// An error if no row is left.
void require_unsuppressed(int64 rows);

}  // namespace anonkit::pg
