#pragma once

#include "pg/release/release_rows.hpp"

namespace anonkit::pg {

/// The number of rows and the sum of their fingerprints: equal for equal rows in any order. Plain
/// data.
struct RowsDigest {
  Fingerprint sum;
  uint64 rows;
};

/// Adds rows with the columns of the descriptor. Values are detoasted in the current context.
void add_to_digest(RowsDigest& digest, TupleDesc columns, const ReleasedRows& rows);

/// An error unless the release, as the caller's commands have left it, has the rows of the digest.
/// REFRESH CONCURRENTLY lets the functions of indexes write into it. Costs a scan.
void require_digest(Oid release, const RowsDigest& computed);

}  // namespace anonkit::pg
