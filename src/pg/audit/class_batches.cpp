#include "pg/audit/class_batches.hpp"

#include <algorithm>
#include <cstring>

#include "pg/backend/session.hpp"
#include "pg/backend/settings.hpp"
#include "pg/backend/user_query.hpp"
#include "pg/read/row_runs.hpp"

extern "C" {
#include "storage/bufmgr.h"
}

namespace anonkit::pg {
namespace {

/// Looks for the first row that begins a run, after the one of the first row. Plain data.
struct RunSearch {
  RowRuns runs;
  int qi;
  int runs_begun;
  ItemPointerData found;
  MemoryContext context;
};

bool find_run(TupleTableSlot* slot, void* state) {
  auto& search = *static_cast<RunSearch*>(state);
  if (search.runs.first == nullptr)
    search.runs = begin_runs(search.context, slot->tts_tupleDescriptor, 2, search.qi);
  if (search.runs.equal == nullptr) return false;
  if (starts_run(search.runs, slot)) ++search.runs_begun;
  if (search.runs_begun < 2) return true;
  ItemPointerCopy(reinterpret_cast<ItemPointer>(DatumGetPointer(slot->tts_values[0])),
                  &search.found);
  return false;
}

/// The place of the first row from a block on that begins a run; null if there is none.
char* next_run(Oid relation, const Names& qi, BlockNumber block) {
  UserQuery query = begin_user_query();
  add_column(query, "ctid");
  for (int j = 0; j < qi.count; ++j) add_column(query, qi.names[j]);
  RunSearch search = {};
  search.qi = qi.count;
  search.context = CurrentMemoryContext;
  for_rows_while(psprintf("%s WHERE source.ctid OPERATOR(pg_catalog.>=) '(%u,0)'::pg_catalog.tid",
                          end_user_query(query, relation), block),
                 find_run, &search);
  if (search.runs_begun < 2) return nullptr;
  return psprintf("'(%u,%u)'::pg_catalog.tid", ItemPointerGetBlockNumber(&search.found),
                  ItemPointerGetOffsetNumber(&search.found));
}

char* between(const char* first, const char* end) {
  StringInfoData condition;
  initStringInfo(&condition);
  appendStringInfo(&condition, "source.ctid OPERATOR(pg_catalog.>=) %s", first);
  if (end != nullptr)
    appendStringInfo(&condition, " AND source.ctid OPERATOR(pg_catalog.<) %s", end);
  return condition.data;
}

}  // namespace

BlockNumber count_blocks(Oid oid) {
  Relation relation = open_relation(oid);
  const BlockNumber blocks =
      RELKIND_HAS_STORAGE(relation->rd_rel->relkind) ? RelationGetNumberOfBlocks(relation) : 0;
  relation_close(relation, NoLock);
  return blocks;
}

BlockNumber blocks_of_batch() {
  constexpr int kShare = 8;
  return static_cast<BlockNumber>(std::max(1, max_memory / (BLCKSZ / 1024) / kShare));
}

List* class_batches(Oid relation, const Names& qi) {
  const BlockNumber blocks = blocks_of_batch();
  List* batches = NIL;
  const char* first = "'(0,0)'::pg_catalog.tid";
  const BlockNumber all = count_blocks(relation);
  for (BlockNumber block = blocks; block < all; block += blocks) {
    const char* end = next_run(relation, qi, block);
    if (end == nullptr) break;
    if (std::strcmp(end, first) == 0) continue;
    batches = lappend(batches, between(first, end));
    first = end;
  }
  return lappend(batches, between(first, nullptr));
}

}  // namespace anonkit::pg
