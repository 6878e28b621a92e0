#pragma once

#include "pg/backend/memory_count.hpp"

namespace anonkit::pg {

/// The column of the records' sampling weights during reading: the number of records of the
/// population that each stands for. Plain data, palloc'd.
struct SamplingWeights {
  char* name;  ///< null: there is none, and nothing below does anything
  Oid type;
  double* values;   ///< by row
  int64 nulls;      ///< rows without a weight
  int64 no_weight;  ///< rows whose number is no weight
  int64 capacity;   ///< of values
};

/// The column of that name (null: none) in a relation that is open, with room for `capacity` rows.
/// Errors: an unknown column, one that has no numbers.
SamplingWeights make_weights(TupleDesc descriptor, const char* name, int64 capacity);
void grow_weights(SamplingWeights& weights, int64 capacity, MemoryCount* memory);

/// Adds the weight of one row, from an attribute of the slot.
void add_weight(SamplingWeights& weights, int64 row, const TupleTableSlot* slot, int attribute);

/// Ends the reading. An error counts the rows whose weight is null, below 1 or not finite; another
/// refuses a sum above 1e15, the largest population.
void settle_weights(const SamplingWeights& weights, int64 rows);

}  // namespace anonkit::pg
