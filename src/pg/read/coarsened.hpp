#pragma once

// Kept numbers that are published coarser than they are: rounded to multiples of a number, then cut
// off at the bottom and at the top. The query that reads the source does it, in exact decimal
// arithmetic, so nothing finer reaches a spool, a fingerprint or a release. Null stays null.

#include "pg/read/source.hpp"

namespace anonkit::pg {

/// Gives kept columns the coarsenings that were chosen for them. Errors: a column that is not kept,
/// that is no number, or that says whose a row is.
void choose_coarsenings(Source& source, TupleDesc descriptor, const Spec& spec);

/// The published value of a column of `source`, in SQL.
char* published_expression(const SourceColumn& column);

/// The number of cells of a row that coarsening changes, in SQL; null if no column is coarsened.
char* changes_expression(const Source& source);

}  // namespace anonkit::pg
