#pragma once

#include "pg/read/pair_reader.hpp"
#include "pg/release/run.hpp"

namespace anonkit::pg {

/// A quasi-identifier before and after masking, from a run instead of a relation. Numbers have no
/// rows for nulls and for ranges without an end; of categories null is one. Plain data.
struct ColumnPair {
  PairData data;      ///< of one column
  int64 cells[2];     ///< of the source, and published ones
  double missing[2];  ///< the share of them that is no number
  bool same_values;   ///< false: labels or sets took the place of values
};

/// The pair of column j of a run. Memory: some doubles or codes for each row.
ColumnPair column_pair_of(const Run& run, int j);

}  // namespace anonkit::pg
