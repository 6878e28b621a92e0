#include "pg/read/row_equality.hpp"

#include "pg/backend/session.hpp"

extern "C" {
#include "executor/executor.h"
#include "utils/typcache.h"
}

namespace anonkit::pg {

RowEquality row_equality(TupleDesc descriptor, const AttrNumber* columns, int count) {
  Oid* equalities = allocate<Oid>(count);
  Oid* collations = allocate<Oid>(count);
  for (int i = 0; i < count; ++i) {
    const Form_pg_attribute column = TupleDescAttr(descriptor, columns[i] - 1);
    equalities[i] = lookup_type_cache(column->atttypid, TYPECACHE_EQ_OPR)->eq_opr;
    collations[i] = column->attcollation;
    if (!OidIsValid(equalities[i])) return {nullptr, nullptr};
  }
  return {execTuplesMatchPrepare(descriptor, count, columns, equalities, collations, nullptr),
          CreateStandaloneExprContext()};
}

bool equal_rows(const RowEquality& equality, TupleTableSlot* a, TupleTableSlot* b) {
  equality.context->ecxt_innertuple = a;
  equality.context->ecxt_outertuple = b;
  return ExecQualAndReset(equality.equal, equality.context);
}

}  // namespace anonkit::pg
