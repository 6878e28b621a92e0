#pragma once

#include "pg/spec/spec.hpp"

namespace anonkit::pg {

/// Columns of numbers or of ranges of numbers, as an attacker reads them. Plain data, palloc'd.
struct PublishedNumbers {
  int64 rows;
  int64 capacity;
  int attributes;
  double* low;   ///< rows x attributes; a number v is [v, v]
  double* high;  ///< a discrete range's last member, else its upper end
  int32* codes;  ///< one per row: the rank of the sensitive column's value; null without one
};

/// Reads the columns, and the ranks of a sensitive one (null: none). Errors: a column of another
/// type (datatype_mismatch), a null, an empty or endless range (data_exception, naming the column).
PublishedNumbers read_published_numbers(Oid relation, const Names& columns, const char* sensitive);

}  // namespace anonkit::pg
