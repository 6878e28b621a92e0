#include "pg/audit/grouped_k.hpp"

#include "pg/audit/class_batches.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/settings.hpp"
#include "pg/backend/user_query.hpp"
#include "pg/read/row_runs.hpp"
#include "pg/read/source.hpp"

namespace anonkit::pg {

bool is_larger_than_memory(Oid oid) {
  return int64{count_blocks(oid)} * (BLCKSZ / 1024) > max_memory;
}

namespace {

/// Selects the quasi-identifiers, which GROUP BY compares by built-in functions alone.
char* columns_query(Oid oid, const Names& qi) {
  UserQuery query = begin_user_query();
  Relation relation = open_relation(oid);
  TupleDesc descriptor = RelationGetDescr(relation);
  for (int j = 0; j < qi.count; ++j) {
    Form_pg_attribute attribute =
        TupleDescAttr(descriptor, find_column(descriptor, qi.names[j]) - 1);
    require_built_in_type(NameStr(attribute->attname), attribute->atttypid);
    add_column(query, NameStr(attribute->attname));
  }
  relation_close(relation, NoLock);
  return end_user_query(query, oid);
}

/// Aliases of the columns: a column of the relation may have any name.
char* aliases(int count) {
  StringInfoData list;
  initStringInfo(&list);
  for (int j = 0; j < count; ++j) appendStringInfo(&list, "%sq%d", j > 0 ? ", " : "", j);
  return list.data;
}

/// Measures the runs of adjacent equal rows. Plain data.
struct Measuring {
  int64 k;
  int64 rows;   ///< in the current run
  bool failed;  ///< a run has fewer than k rows, or a type has no equality
  MemoryContext memory;
  RowRuns runs;
};

void end_run(Measuring& measuring) {
  measuring.failed = measuring.failed || measuring.rows < measuring.k;
  measuring.rows = 0;
}

bool take_row(TupleTableSlot* slot, void* state) {
  auto& measuring = *static_cast<Measuring*>(state);
  if (measuring.runs.first == nullptr) {
    measuring.runs = begin_runs(measuring.memory, slot->tts_tupleDescriptor, 1,
                                slot->tts_tupleDescriptor->natts);
    // GROUP BY refuses such a type by its name.
    measuring.failed = measuring.runs.equal == nullptr;
  }
  if (!measuring.failed) {
    if (starts_run(measuring.runs, slot) && measuring.rows > 0) end_run(measuring);
    ++measuring.rows;
  }
  return !measuring.failed;
}

}  // namespace

bool runs_reach(Oid relation, const Names& qi, int64 k) {
  Measuring measuring = {};
  measuring.k = k;
  measuring.memory = CurrentMemoryContext;
  for_rows_while(columns_query(relation, qi), take_row, &measuring);
  end_run(measuring);
  return !measuring.failed;
}

int64 grouped_k(Oid oid, const Names& qi) {
  const char* columns = aliases(qi.count);
  const int result =
      SPI_execute(psprintf("SELECT pg_catalog.min(classes.rows) FROM (SELECT pg_catalog.count(*) AS"
                           " rows FROM (%s) AS cells (%s) GROUP BY %s) AS classes",
                           columns_query(oid, qi), columns, columns),
                  true, 0);
  if (result != SPI_OK_SELECT)
    elog(ERROR, "SPI_execute failed: %s", SPI_result_code_string(result));
  bool no_rows;
  const Datum least = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &no_rows);
  if (no_rows)
    ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION), errmsg("there are no rows to audit")));
  const int64 k = DatumGetInt64(least);
  SPI_freetuptable(SPI_tuptable);
  return k;
}

}  // namespace anonkit::pg
