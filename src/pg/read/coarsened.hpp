#pragma once

// Kept numbers published with less detail: rounded to multiples of a number, then truncated at the
// bottom and at the top. The query that reads the source does it, in exact decimal arithmetic, so
// no finer value reaches a spool, a fingerprint or a release. Null stays null.

#include "pg/read/source.hpp"

namespace anonkit::pg {

/// The kept column of this name; null if there is none. An error for an unknown column.
SourceColumn* find_kept(const Source& source, TupleDesc descriptor, const char* name);

/// Attaches the chosen coarsenings to kept columns. Errors: a column that is not kept, is not a
/// number, or belongs to the unit.
void choose_coarsenings(Source& source, TupleDesc descriptor, const Spec& spec);

/// The published value of a column of `source`, in SQL; null in place of a pseudonym.
char* published_expression(const SourceColumn& column);

/// The number of cells of a row that coarsening changes, in SQL; null if no column is coarsened.
char* changes_expression(const Source& source);

}  // namespace anonkit::pg
