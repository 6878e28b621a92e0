#pragma once

#include "pg/read/value_ranks.hpp"
#include "pg/spec/spec.hpp"

namespace anonkit::pg {

/// The columns of the person (unit) of a row, during reading. Plain data, palloc'd.
struct UnitColumns {
  char** names;
  ValueRanks* ranks;
  int count;
};

/// The columns of these names in a relation that is open or locked, with room for `capacity` rows.
/// Errors: an unknown column, a type without an order.
UnitColumns make_units(Oid relation, const Names& unit, int64 capacity, MemoryCount* memory);
void grow_units(UnitColumns& units, int64 capacity);

/// Adds the values of one row, from attribute `first` of the slot on.
void add_unit(UnitColumns& units, int64 row, const TupleTableSlot* slot, int first);

/// By row, its unit, numbered from 0 in the order of the columns' values, by the equality of their
/// types; null without units. An error if a row has no unit, with the number of nulls.
int32* settle_units(UnitColumns& units, int64 rows);

}  // namespace anonkit::pg
