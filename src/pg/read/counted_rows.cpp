#include "pg/read/counted_rows.hpp"

#include "pg/backend/session.hpp"
#include "pg/read/distributed_query.hpp"

namespace anonkit::pg {
namespace {

/// True if rows can be grouped by each column of the relation.
bool groups_by_all_columns(Oid oid) {
  Relation relation = open_relation(oid);
  TupleDesc descriptor = RelationGetDescr(relation);
  bool can = true;
  for (int i = 0; i < descriptor->natts; ++i) {
    const Oid type = TupleDescAttr(descriptor, i)->atttypid;
    can = can && is_built_in_type(type) &&
          OidIsValid(lookup_type_cache(type, TYPECACHE_EQ_OPR)->eq_opr);
  }
  relation_close(relation, NoLock);
  return can;
}

bool is_on_several_servers(Oid relation) {
  DistributedQuery release;
  return read_distributed(relation, release) && groups_by_all_columns(relation);
}

/// Receives rows with their numbers.
struct Counted {
  RowFunction function;
  void* state;
  int columns;
};

void repeat_row(TupleTableSlot* slot, void* state) {
  const auto& counted = *static_cast<const Counted*>(state);
  const int64 rows = DatumGetInt64(slot->tts_values[counted.columns]);
  for (int64 row = 0; row < rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    counted.function(slot, counted.state);
  }
}

}  // namespace

void for_each_row_of(UserQuery& query, Oid relation, const char* condition, RowFunction function,
                     void* state) {
  const int columns = query.columns;
  const bool counted = columns > 0 && condition == nullptr && is_on_several_servers(relation);
  if (counted) add_expression(query, "pg_catalog.count(*)");
  const char* text = end_user_query(query, relation);
  if (condition != nullptr) text = psprintf("%s WHERE %s", text, condition);
  if (!counted) {
    for_each_row(text, function, state);
    return;
  }
  Counted rows = {function, state, columns};
  for_each_row(psprintf("%s GROUP BY %s", text, column_places(1, columns)), repeat_row, &rows);
}

}  // namespace anonkit::pg
