#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// Compares rows as GROUP BY does: by the equality of each column's type and its collation, null
/// equal to null. Plain data.
struct RowEquality {
  ExprState* equal;  ///< null if a type has no equality
  ExprContext* context;
};

/// Compares these columns of rows with such a descriptor, which must outlive the result.
RowEquality row_equality(TupleDesc descriptor, const AttrNumber* columns, int count);

bool equal_rows(const RowEquality& equality, TupleTableSlot* a, TupleTableSlot* b);

}  // namespace anonkit::pg
