#pragma once

#include "pg/read/value_ranks.hpp"
#include "pg/spec/spec.hpp"

namespace anonkit::pg {

/// The columns that say whose a row is, while rows are read. Plain data, palloc'd.
struct UnitColumns {
  char** names;
  ValueRanks* ranks;
  int count;
};

/// The columns of that name of a relation that is open or locked, with room for so many rows.
/// Errors: unknown column, a type without an order.
UnitColumns make_units(Oid relation, const Names& unit, int64 capacity);
void grow_units(UnitColumns& units, int64 capacity);

/// Takes over the values of one row, which begin at that place of the slot.
void add_unit(UnitColumns& units, int64 row, const TupleTableSlot* slot, int first);

/// Of every row whose it is, numbered from 0 in the order of the columns' values, by the equality
/// of their types; null without units. An error if a row is nobody's, with the number of nulls.
int32* settle_units(UnitColumns& units, int64 rows);

}  // namespace anonkit::pg
