#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// Finds runs of adjacent equal rows, in constant memory. Rows are compared as GROUP BY does: by
/// the equality of each column's type and its collation, null equal to null. Plain data.
struct RowRuns {
  TupleTableSlot* first;  ///< row of the current run
  ExprState* equal;       ///< null if a type has no equality: then there are no runs
  ExprContext* context;
};

/// Compares these columns of rows with such a descriptor, which must outlive the result.
RowRuns begin_runs(TupleDesc descriptor, const AttrNumber* columns, int count);

/// Compares neighbouring columns, from `first` on, of rows that a query passes on. The memory
/// context holds all that it needs.
RowRuns begin_runs(MemoryContext context, TupleDesc rows, AttrNumber first, int count);

/// Takes the next row. True if it begins a run: it is the first, or unlike the row before.
bool starts_run(const RowRuns& runs, TupleTableSlot* row);

}  // namespace anonkit::pg
