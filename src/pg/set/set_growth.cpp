#include "pg/set/set_growth.hpp"

#include <algorithm>

#include "pg/backend/session.hpp"
#include "pg/release/replacement.hpp"
#include "pg/set/set_attached.hpp"

extern "C" {
#include "catalog/dependency.h"
}

namespace anonkit::pg {
namespace {

void take_larger(TupleTableSlot* slot, void* state) {
  auto* largest = static_cast<int64*>(state);
  if (!slot->tts_isnull[0]) *largest = std::max(*largest, DatumGetInt64(slot->tts_values[0]));
}

/// The largest pseudonym in any table of the set.
int64 largest_pseudonym(const SetWork& work, const Oid* released) {
  int64 largest = 0;
  for (int t = 0; t < work.tables.count; ++t)
    for (int i = 0; i < work.keys[t].count; ++i)
      for_each_row(
          psprintf("SELECT pg_catalog.max(%s) FROM ONLY %s",
                   quote_identifier(work.keys[t].list[i].name), qualified_name_of(released[t])),
          take_larger, &largest);
  return largest;
}

RowGuard& guard_of(RowGuard* guards, Oid table) {
  while (guards->table != table) ++guards;
  return *guards;
}

/// As the table of a REFRESH is dropped: event triggers do not see it.
void drop_quietly(Oid beside) {
  const ObjectAddress table = {RelationRelationId, beside, 0};
  performDeletion(&table, DROP_RESTRICT, PERFORM_DELETION_INTERNAL);
}

/// Through the executor, which keeps indexes and foreign keys. Returns its command.
CommandId add_rows(Oid released, Oid beside) {
  HiddenRows hidden;
  begin_hiding_rows(hidden);
  const CommandId command = next_command();
  // The owner may have made an identity of a column.
  execute(psprintf("INSERT INTO %s OVERRIDING SYSTEM VALUE SELECT * FROM ONLY %s",
                   qualified_name_of(released), qualified_name_of(beside)),
          SPI_OK_INSERT);
  end_hiding_rows(hidden);
  drop_quietly(beside);
  return command;
}

/// An error for a table that a crash empties, as it may have done: the largest pseudonym would be
/// that of no table, and new persons would get the pseudonyms of earlier ones.
void require_logged(Oid released, const char* name) {
  if (get_rel_persistence(released) == RELPERSISTENCE_PERMANENT) return;
  ereport(ERROR,
          (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
           errmsg("table \"%s\" of a set that grows is unlogged", name),
           errdetail("A crash empties it. New persons would get the pseudonyms of earlier ones."),
           errhint("Use ALTER TABLE ... SET LOGGED, or anon_drop_set and anon_publish_set if rows "
                   "are lost.")));
}

/// An error unless a table lasts, and has its columns, and no code that could change new rows.
void require_addable(const SetWork& work, const Oid* released, const char* const* names, int t) {
  require_logged(released[t], names[t]);
  refuse_attached_code(released[t]);
  require_columns(released[t], unnumbered_set(work, names), t);
}

}  // namespace

RowGuard* guard_tables(const NamedTables& released) {
  auto* guards = allocate<RowGuard>(released.count);
  for (int t = 0; t < released.count; ++t) {
    guards[t] = guard_rows(released.tables[t]);
    guards[t].has_frozen = true;
  }
  return guards;
}

void require_guarded_tables(const RowGuard* guards, int count) {
  for (int t = 0; t < count; ++t) require_guarded(guards[t]);
}

void append_rows(const SetQuery& set, const SetWork& work, const SetPromises& promises,
                 const Oid* released, RowGuard* guards) {
  const int count = work.tables.count;
  auto* names = allocate<const char*>(count);
  for (int t = 0; t < count; ++t) names[t] = relation_name(released[t]);
  for (int t = 0; t < count; ++t) require_addable(work, released, names, t);
  const PreparedSet prepared = prepared_set(work, names, largest_pseudonym(work, released));
  auto* beside = allocate<Oid>(count);
  for (int t = 0; t < count; ++t) beside[t] = make_replacement(released[t], kRefreshTable);
  CommandCounterIncrement();
  write_rows_into(beside, released, prepared);
  audit_written(work, beside, names, promises);
  for (int t = 0; t < count; ++t)
    require_untouched(beside[t], static_cast<uint64>(work.published[t]), names[t]);
  // Parents come first, since each statement checks its foreign keys. Code of labels, and of
  // indexes on the tables before, may have altered a table since the first look.
  for (int t = 0; t < count; ++t) {
    refuse_attached(set);
    require_addable(work, released, names, t);
    guard_of(guards, released[t]).own[0] = add_rows(released[t], beside[t]);
  }
  audit_written(work, released, names, promises);
}

}  // namespace anonkit::pg
