#pragma once

#include "pg/backend/memory_count.hpp"

namespace anonkit::pg {

/// The rows for which readers allocate first.
constexpr int64 kFirstCapacity = 1024;

/// The values of one column, first distinguished by their bytes and then ranked by the order and
/// the equality of their type. Only values with different bytes are compared, so the type's
/// functions run once per distinct value and not once per row. Plain data, palloc'd in the context
/// of make_value_ranks.
struct ValueRanks {
  Oid type;
  Oid collation;
  int16 length;
  bool by_value;
  MemoryContext context;
  MemoryCount* memory;  ///< counts what is allocated here; null: the reading counts it by rows
  int32* codes;         ///< by row: the rank after settle_ranks, from 0; null comes last
  Datum* values;        ///< by rank, without null: among equal values the one with the least bytes
  int32 distinct;       ///< ranks in use, with null's
  bool has_null;
  int32 latest;  ///< during reading, the image of the last value
  // Open addressing over the distinct images.
  struct Slot {
    uint32 hash;
    int32 image;  ///< -1: free
  };
  Slot* slots;
  uint32 slot_count;  ///< a power of 2
  int64 capacity;     ///< of codes
};

/// An empty column of that declaration, with room for `capacity` rows. An error if the type has no
/// order, or is not built in.
ValueRanks make_value_ranks(const FormData_pg_attribute* attribute, int64 capacity,
                            MemoryCount* memory);

/// The declaration of a column that is compared by its texts.
FormData_pg_attribute text_attribute(const FormData_pg_attribute* from);
void grow_ranks(ValueRanks& ranks, int64 capacity);

/// Adds the value of one row.
void add_value(ValueRanks& ranks, int64 row, Datum value, bool is_null);

/// Between the last row and settle_ranks: makes the values of a text null.
void make_null(ValueRanks& ranks, int64 rows, const char* text);
/// True before settle_ranks if the row's value is null.
bool is_null_before(const ValueRanks& ranks, int64 row);
/// Before settle_ranks, gives row `to` the value of row `from`.
void move_value(ValueRanks& ranks, int64 from, int64 to);

/// Computes the ranks after the last row. O(d log d) comparisons for d distinct images.
void settle_ranks(ValueRanks& ranks, int64 rows);

/// The number of ranks without null's.
inline int32 values_of(const ValueRanks& ranks) {
  return ranks.distinct - (ranks.has_null ? 1 : 0);
}

/// A number that orders and equates values like their type; false for types without one.
bool order_key(Oid base_type, Datum value, uint64* key);

}  // namespace anonkit::pg
