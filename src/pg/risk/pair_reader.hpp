#pragma once

#include "risk/cells.hpp"

#include "pg/read/range_reader.hpp"
#include "pg/read/value_ranks.hpp"

namespace anonkit::pg {

/// A column of two relations: numbers and ranges of numbers where both have such, else categories
/// with common codes, by the type's own equality, or by their texts where the types differ.
struct PairColumn {
  char* name;
  bool numeric;
  NumberColumn number[2];
  double* low[2];
  double* high[2];
  bool as_text;
  ValueRanks ranks;  ///< of the rows of the first relation, then of the second
};

/// Columns of a relation before and after masking. Plain data.
struct PairData {
  PairColumn* columns;
  int count;
  int64 rows[2];
  int64 capacity;
};

/// Reads the columns of both relations. Those from `categories` on are categories, whatever their
/// types. Errors: no rows, nulls or infinite values in numbers, unknown columns.
PairData read_pair(Oid original, Oid masked, const Names& columns, int categories);

/// Views of `count` columns from the `first` on, without images.
CellsPair cells_of(const PairData& data, int first, int count);

/// The image of each original record: the masked one with the same values in `count` columns from
/// the `first` on; none if there are no such columns. Throws invalid_data if these columns do not
/// tell the records of a relation apart.
std::vector<std::int32_t> images_of(const PairData& data, int first, int count);

/// The lists one after the other.
Names joined(const Names& a, const Names& b, const Names& c);

}  // namespace anonkit::pg
