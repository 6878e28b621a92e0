#include "pg/read/units.hpp"

#include <vector>

#include "model/row_classes.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/source.hpp"

namespace anonkit::pg {
namespace {

/// An error for nulls: rows without a unit belong to an unknown number of persons.
void refuse_nulls(const UnitColumns& units, int64 rows) {
  for (int j = 0; j < units.count; ++j) {
    const ValueRanks& ranks = units.ranks[j];
    if (!ranks.has_null) continue;
    int64 nulls = 0;
    for (int64 row = 0; row < rows; ++row) nulls += ranks.codes[row] == values_of(ranks) ? 1 : 0;
    ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
                    errmsg("unit column \"%s\" contains nulls", units.names[j]),
                    errdetail("Number of nulls: " INT64_FORMAT ".", nulls),
                    errhint("Leave these rows out, or give each a unit of its own, in a view.")));
  }
}

void number_units(const UnitColumns& units, int64 rows, int32* unit_of) {
  BackendTicker ticker;
  std::vector<CodedColumn> columns;
  for (int j = 0; j < units.count; ++j)
    columns.push_back({units.ranks[j].codes, units.ranks[j].distinct});
  std::vector<std::int32_t*> number(columns.size(), nullptr);
  number.back() = unit_of;
  number_classes(columns, rows, number, ticker);
}

}  // namespace

UnitColumns make_units(Oid relation, const Names& unit, int64 capacity, MemoryCount* memory) {
  UnitColumns units = {allocate<char*>(unit.count), allocate<ValueRanks>(unit.count), unit.count};
  if (unit.count == 0) return units;
  Relation open = open_relation(relation);
  TupleDesc descriptor = RelationGetDescr(open);
  for (int j = 0; j < unit.count; ++j) {
    Form_pg_attribute attribute =
        TupleDescAttr(descriptor, find_column(descriptor, unit.names[j]) - 1);
    units.names[j] = pstrdup(NameStr(attribute->attname));
    units.ranks[j] = make_value_ranks(attribute, capacity, memory);
  }
  relation_close(open, NoLock);
  return units;
}

void grow_units(UnitColumns& units, int64 capacity) {
  for (int j = 0; j < units.count; ++j) grow_ranks(units.ranks[j], capacity);
}

void add_unit(UnitColumns& units, int64 row, const TupleTableSlot* slot, int first) {
  for (int j = 0; j < units.count; ++j)
    add_value(units.ranks[j], row, slot->tts_values[first + j], slot->tts_isnull[first + j]);
}

int32* settle_units(UnitColumns& units, int64 rows) {
  if (units.count == 0) return nullptr;
  for (int j = 0; j < units.count; ++j) settle_ranks(units.ranks[j], rows);
  refuse_nulls(units, rows);
  if (units.count == 1) return units.ranks[0].codes;
  int32* unit_of = allocate<int32>(rows);
  number_units(units, rows, unit_of);
  return unit_of;
}

}  // namespace anonkit::pg
