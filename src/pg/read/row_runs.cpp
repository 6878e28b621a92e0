#include "pg/read/row_runs.hpp"

#include <numeric>

#include "pg/backend/session.hpp"

extern "C" {
#include "executor/executor.h"
#include "utils/typcache.h"
}

namespace anonkit::pg {

RowRuns begin_runs(TupleDesc descriptor, const AttrNumber* columns, int count) {
  RowRuns runs = {MakeSingleTupleTableSlot(descriptor, &TTSOpsMinimalTuple), nullptr, nullptr};
  Oid* equalities = allocate<Oid>(count);
  Oid* collations = allocate<Oid>(count);
  for (int i = 0; i < count; ++i) {
    const Form_pg_attribute column = TupleDescAttr(descriptor, columns[i] - 1);
    equalities[i] = lookup_type_cache(column->atttypid, TYPECACHE_EQ_OPR)->eq_opr;
    collations[i] = column->attcollation;
    if (!OidIsValid(equalities[i])) return runs;
  }
  runs.equal = execTuplesMatchPrepare(descriptor, count, columns, equalities, collations, nullptr);
  runs.context = CreateStandaloneExprContext();
  return runs;
}

RowRuns begin_runs(MemoryContext context, TupleDesc rows, AttrNumber first, int count) {
  MemoryContext old = MemoryContextSwitchTo(context);
  auto* columns = allocate<AttrNumber>(count);
  std::iota(columns, columns + count, first);
  const RowRuns runs = begin_runs(CreateTupleDescCopy(rows), columns, count);
  MemoryContextSwitchTo(old);
  return runs;
}

bool starts_run(const RowRuns& runs, TupleTableSlot* row) {
  runs.context->ecxt_innertuple = row;
  runs.context->ecxt_outertuple = runs.first;
  if (!TTS_EMPTY(runs.first) && ExecQualAndReset(runs.equal, runs.context)) return false;
  ExecCopySlot(runs.first, row);
  return true;
}

}  // namespace anonkit::pg
