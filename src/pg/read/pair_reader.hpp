#pragma once

#include "risk/cells.hpp"

#include "pg/read/range_reader.hpp"
#include "pg/read/sampling_weights.hpp"
#include "pg/read/value_ranks.hpp"

namespace anonkit::pg {

/// A column of two relations. If both hold numbers or ranges, it has numbers; otherwise categories
/// with common codes. Values are equal by the type's own equality, or by their texts if the types
/// differ.
struct PairColumn {
  char* name;
  bool numeric;
  NumberColumn number[2];
  double* low[2];
  double* high[2];
  bool as_text;
  bool keeps_published;
  ValueRanks published;  ///< of the second relation's cells, if they are numbers and are kept
  ValueRanks ranks;      ///< of the rows of the first relation, then of the second
};

/// Columns of a relation before and after masking. Plain data.
struct PairData {
  PairColumn* columns;
  int count;
  int64 rows[2];
  SamplingWeights weights[2];  ///< of the rows of each relation
  int64 capacity;
};

/// Reads the columns of both relations. Columns from `categories` on are categories of any type,
/// and so are columns of the first relation among `codes`. The column of the sampling weights, if
/// there is one, is of both relations. Errors: no rows, infinite values in numbers,
/// unknown columns, and those of sampling weights.
///
/// @param named_by as begin_reading_for has it, of the first relation
PairData read_pair(Oid original, Oid masked, const Names& columns, int categories,
                   const Names& codes = {nullptr, 0}, bool keep_published = false,
                   const char* sampling_weight = nullptr, Oid named_by = InvalidOid);

/// The cells of a row of the second relation, by column, as jsonb. Published cells must be kept.
Jsonb* published_cells(const PairData& data, int64 row);

/// Views of `count` columns, starting at `first`, without images.
CellsPair cells_of(const PairData& data, int first, int count);

/// Views of the first `count` columns, with images by the last `key` ones, if there are any. The
/// image of an original record is the masked one with equal values in the key. Throws invalid_data
/// if the key does not identify the records of a relation.
CellsPair pair_of(const PairData& data, int count, int key);

}  // namespace anonkit::pg
