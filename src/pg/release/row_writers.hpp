#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// The transactions that wrote the rows of a relation, in ascending order. Plain data.
struct RowWriters {
  TransactionId* list;
  int count;

  bool has(TransactionId writer) const;
};

/// The writers of all rows that a heap has now. O(rows).
RowWriters writers_of(Oid relation);

/// Their numbers, divided by commas.
char* text_of_writers(const RowWriters& writers);
/// The writers of such a text, which the owner may have altered; none for a null.
RowWriters writers_in(const char* text);

}  // namespace anonkit::pg
