#include "pg/release/stored_query.hpp"

extern "C" {
#include "access/htup_details.h"
#include "catalog/pg_rewrite.h"
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

}  // namespace anonkit::pg
