#include "pg/read/stored_query.hpp"

extern "C" {
#include "access/htup_details.h"
#include "catalog/pg_rewrite.h"
#include "catalog/pg_type.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteSupport.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {

Query* stored_query(Oid relation, char relkind) {
  if (get_rel_relkind(relation) != relkind) return nullptr;
  HeapTuple rule =
      SearchSysCache2(RULERELNAME, ObjectIdGetDatum(relation), CStringGetDatum(ViewSelectRuleName));
  if (!HeapTupleIsValid(rule)) return nullptr;
  bool is_null;
  const Datum action = SysCacheGetAttr(RULERELNAME, rule, Anum_pg_rewrite_ev_action, &is_null);
  auto* actions = is_null ? nullptr : static_cast<List*>(stringToNode(TextDatumGetCString(action)));
  ReleaseSysCache(rule);
  return list_length(actions) == 1 ? linitial_node(Query, actions) : nullptr;
}

bool is_plain(const Query* query) {
  return query->commandType == CMD_SELECT && list_length(query->jointree->fromlist) == 1 &&
         query->setOperations == nullptr && query->cteList == NIL && query->distinctClause == NIL &&
         query->groupClause == NIL && query->groupingSets == NIL && query->havingQual == nullptr &&
         query->windowClause == NIL && query->sortClause == NIL && query->limitOffset == nullptr &&
         query->limitCount == nullptr && query->rowMarks == NIL && !query->hasAggs &&
         !query->hasWindowFuncs && !query->hasTargetSRFs && !query->hasSubLinks;
}

Oid only_table(const Query* query) {
  auto* item = static_cast<Node*>(linitial(query->jointree->fromlist));
  if (!IsA(item, RangeTblRef)) return InvalidOid;
  const RangeTblEntry* entry =
      rt_fetch(reinterpret_cast<RangeTblRef*>(item)->rtindex, query->rtable);
  return entry->rtekind == RTE_RELATION && entry->relkind == RELKIND_RELATION ? entry->relid
                                                                              : InvalidOid;
}

int columns_in_order(const Query* query, int left_out) {
  const int item = linitial_node(RangeTblRef, query->jointree->fromlist)->rtindex;
  int shown = 0;
  ListCell* cell;
  foreach (cell, query->targetList) {
    auto* target = lfirst_node(TargetEntry, cell);
    auto* column = reinterpret_cast<Var*>(target->expr);
    ++shown;
    if (target->resjunk || !IsA(column, Var) || column->varno != item || column->varlevelsup != 0 ||
        column->varattno != left_out + shown)
      return -1;
  }
  return shown;
}

const Const* constant_at(const List* list, int place, Oid type) {
  if (place >= list_length(list)) return nullptr;
  auto* element = static_cast<Node*>(list_nth(list, place));
  if (!IsA(element, Const)) return nullptr;
  const auto* value = reinterpret_cast<const Const*>(element);
  return value->constisnull || value->consttype != type ? nullptr : value;
}

bool tables_at(const List* list, int place, NamedTables& tables) {
  auto* argument = static_cast<Node*>(list_nth(list, place));
  if (!IsA(argument, ArrayExpr)) return false;
  const List* elements = reinterpret_cast<ArrayExpr*>(argument)->elements;
  tables = {
      static_cast<Oid*>(palloc(sizeof(Oid) * static_cast<std::size_t>(list_length(elements) + 1))),
      0};
  for (; tables.count < list_length(elements); ++tables.count) {
    const Const* table = constant_at(elements, tables.count, REGCLASSOID);
    if (table == nullptr) return false;
    tables.tables[tables.count] = DatumGetObjectId(table->constvalue);
  }
  return true;
}

}  // namespace anonkit::pg
