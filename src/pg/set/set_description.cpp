#include "pg/set/set_description.hpp"

#include <algorithm>
#include <cmath>

#include "pg/backend/companion.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/private_table.hpp"
#include "pg/backend/session.hpp"
#include "pg/release/release_note.hpp"
#include "pg/schedule/content.hpp"

extern "C" {
#include "access/genam.h"
#include "access/xact.h"
#include "catalog/dependency.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_namespace.h"
#include "commands/defrem.h"
#include "storage/lmgr.h"
#include "utils/fmgroids.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {
namespace {

constexpr char kItem[] = "table";

/// The views of a schema.
List* views_of(Oid schema) {
  ScanKeyData keys[2];
  ScanKeyInit(&keys[0], Anum_pg_depend_refclassid, BTEqualStrategyNumber, F_OIDEQ,
              ObjectIdGetDatum(NamespaceRelationId));
  ScanKeyInit(&keys[1], Anum_pg_depend_refobjid, BTEqualStrategyNumber, F_OIDEQ,
              ObjectIdGetDatum(schema));
  List* views = NIL;
  Relation dependencies = table_open(DependRelationId, AccessShareLock);
  SysScanDesc scan =
      systable_beginscan(dependencies, DependReferenceIndexId, true, nullptr, 2, keys);
  while (HeapTuple tuple = systable_getnext(scan)) {
    const auto* dependency = reinterpret_cast<Form_pg_depend>(GETSTRUCT(tuple));
    if (dependency->classid == RelationRelationId &&
        get_rel_relkind(dependency->objid) == RELKIND_VIEW)
      views = lappend_oid(views, dependency->objid);
  }
  systable_endscan(scan);
  table_close(dependencies, AccessShareLock);
  return views;
}

[[noreturn]] void refuse_two(Oid schema, Oid first, Oid second) {
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("schema \"%s\" has two descriptions of a set", get_namespace_name(schema)),
                  errdetail("They are views \"%s\" and \"%s\".", get_rel_name(first),
                            get_rel_name(second)),
                  errhint("Drop the one that anonkit did not make.")));
  pg_unreachable();
}

/// Tables are described by their names, which another session can give to others.
[[noreturn]] void refuse_renamed() {
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("a table of the set was renamed or moved by another session"),
                  errhint("Try again.")));
  pg_unreachable();
}

/// Locks the description, and reads it again: until then, others could drop the set, or move it to
/// another schema. Like DROP SCHEMA, it locks the schema first, so neither waits for the other.
SetQuery lock_description(Oid schema, Oid description, LOCKMODE mode) {
  LockDatabaseObject(NamespaceRelationId, schema, 0,
                     mode == AccessExclusiveLock ? AccessExclusiveLock : AccessShareLock);
  LockRelationOid(description, mode);
  SetQuery set = {};
  if (!SearchSysCacheExists1(RELOID, ObjectIdGetDatum(description)) ||
      !read_set_query(description, set) || set.schema != schema)
    ereport(ERROR,
            (errcode(ERRCODE_UNDEFINED_SCHEMA), errmsg("the set was dropped by another session")));
  return set;
}

/// The number of pairs of one person's rows with one row or both in a table: a of all A rows are
/// the table's.
double pairs(double a, double all) {
  return a * (a - 1) / 2 + a * (all - a);
}

/// By person the rows in table t, or in all tables for t = -1.
int32* rows_by_person(const SetWork& work, int t, bool published) {
  auto* counts = allocate<int32>(work.rows.persons);
  for (int32 person = 0; person < work.rows.persons; ++person) counts[person] = 0;
  for (int table = 0; table < work.tables.count; ++table) {
    if (t >= 0 && table != t) continue;
    const SetTableRows& rows = work.rows.tables[table];
    for (int64 row = 0; row < rows.rows; ++row) {
      CHECK_FOR_INTERRUPTS();
      if (!published || !work.withheld[table][row]) ++counts[rows.person[row]];
    }
  }
  return counts;
}

/// By person all rows, and those published. Plain data.
struct PersonRows {
  const int32* all;
  const int32* published;
};

/// The share of the pairs with a row of table t that cannot be joined any more.
double lost_links(const SetWork& work, const PersonRows& rows, int t) {
  int32* all = rows_by_person(work, t, false);
  int32* published = rows_by_person(work, t, true);
  double before = 0;
  double after = 0;
  for (int32 person = 0; person < work.rows.persons; ++person) {
    before += pairs(all[person], rows.all[person]);
    after += pairs(published[person], rows.published[person]);
  }
  pfree(all);
  pfree(published);
  return before == 0 ? NAN : 1 - after / before;
}

Jsonb* table_record(const SetWork& work, const PersonRows& persons, int t) {
  const Run& run = work.runs[t];
  JsonObject json;
  json.add("rows", run.loaded.rows - run.anonymized->suppressed);
  json.add("withheld", static_cast<int64>(run.anonymized->suppressed));
  if (!std::isnan(run.anonymized->ncp)) json.add("loss", run.anonymized->ncp);
  const double links = lost_links(work, persons, t);
  if (!std::isnan(links)) json.add("links_lost", links);
  return json.finish();
}

/// Sizes, and the mean loss of all cells.
Figures figures_of_set(const SetWork& work) {
  Figures figures = {};
  for (const FigureField& field : kFigureFields) figures.*field.member = NAN;
  figures.rows = figures.suppressed = 0;
  double cells = 0;
  double loss = 0;
  for (int t = 0; t < work.tables.count; ++t) {
    const Run& run = work.runs[t];
    const auto suppressed = static_cast<double>(run.anonymized->suppressed);
    figures.rows += static_cast<double>(run.loaded.rows) - suppressed;
    figures.suppressed += suppressed;
    if (std::isnan(run.anonymized->ncp)) continue;
    const double of_table = static_cast<double>(run.loaded.rows) * run.source.quasi_identifiers;
    cells += of_table;
    loss += of_table * run.anonymized->ncp;
  }
  if (cells > 0) figures.ncp = 100 * loss / cells;
  figures.seconds =
      static_cast<double>(GetCurrentTimestamp() - GetCurrentTransactionStartTimestamp()) /
      USECS_PER_SEC;
  return figures;
}

}  // namespace

Oid schema_argument(FunctionCallInfo fcinfo) {
  if (PG_ARGISNULL(0))
    ereport(ERROR,
            (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("the schema must not be null")));
  const Oid schema = PG_GETARG_OID(0);
  if (get_namespace_name(schema) == nullptr)
    ereport(ERROR, (errcode(ERRCODE_UNDEFINED_SCHEMA),
                    errmsg("schema with OID %u does not exist", schema)));
  return schema;
}

SetQuery require_set(Oid schema) {
  SetQuery set = {};
  ListCell* cell;
  foreach (cell, views_of(schema)) {
    SetQuery found;
    if (!read_set_query(lfirst_oid(cell), found)) continue;
    if (OidIsValid(set.description)) refuse_two(schema, set.description, found.description);
    set = found;
  }
  if (!OidIsValid(set.description))
    ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
                    errmsg("schema \"%s\" is not a set", get_namespace_name(schema)),
                    errhint("A set is a schema that anon_publish_set made.")));
  return set;
}

SetQuery hold_set(Oid schema) {
  return lock_description(schema, require_set(schema).description, AccessShareLock);
}

SetQuery lock_set(Oid schema, LOCKMODE mode) {
  const Oid description = require_set(schema).description;
  require_owner(description);
  const SetQuery set = lock_description(schema, description, mode);
  require_owner(description);
  return set;
}

void hold_tables(const NamedTables& tables) {
  for (int t = 0; t < tables.count; ++t) {
    CHECK_FOR_INTERRUPTS();
    LockRelationOid(tables.tables[t], AccessShareLock);
  }
}

int place_of(const NamedTables& tables, Oid table) {
  int place = 0;
  while (place < tables.count && tables.tables[place] != table) ++place;
  if (place == tables.count) refuse_renamed();
  return place;
}

void require_same_tables(const NamedTables& tables, const SetTables& found) {
  const SetTable* begin = found.tables;
  bool same = found.count == tables.count;
  for (int t = 0; same && t < tables.count; ++t)
    same = std::any_of(begin, begin + found.count,
                       [&](const SetTable& table) { return table.relation == tables.tables[t]; });
  if (!same) refuse_renamed();
}

SetQuery new_description(const SetWork& work, const SetPromises& promises) {
  const int count = work.tables.count;
  SetQuery set = {};
  set.sources = {allocate<Oid>(count), count};
  set.released = {allocate<Oid>(count), count};
  JsonObject tables;
  for (int t = 0; t < count; ++t) {
    const SetTable& table = work.tables.tables[t];
    set.sources.tables[t] = table.relation;
    tables.add(psprintf("%d", t + 1), placed_options(table.options, table.parent, set.labels));
  }
  JsonObject spec;
  add_promises(spec, promises);
  spec.add("tables", tables.finish());
  set.spec = spec.finish();
  return set;
}

void create_description(SetQuery& set) {
  const char* name = ChooseRelationName("anon", nullptr, "set", set.schema, false);
  execute(
      psprintf("CREATE VIEW %s AS %s",
               quote_qualified_identifier(get_namespace_name(set.schema), name), set_query(set)),
      SPI_OK_UTILITY);
  set.description = get_relname_relid(name, set.schema);
  leave_to_owner(set.description);
}

void note_set(const SetQuery& set, const SetWork& work, const SetPromises& promises) {
  const PersonRows persons = {rows_by_person(work, -1, false), rows_by_person(work, -1, true)};
  const Oid companion = require_companion(set.description);
  for (int t = 0; t < work.tables.count; ++t) {
    const int place = place_of(set.sources, work.tables.tables[t].relation);
    write_companion(companion, kItem, place, table_record(work, persons, t), nullptr);
  }
  write_note(set.description, words_of_promises(promises), figures_of_set(work),
             writes_behind(set.sources));
}

TableFigures read_table_figures(const SetQuery& set, int t) {
  const Oid companion = find_companion(set.description);
  CompanionRow row = {};
  if (OidIsValid(companion)) row = read_companion(companion, kItem, t);
  if (row.content == nullptr) return {NAN, NAN, NAN, NAN};
  return {number_at(row.content, "rows"), number_at(row.content, "withheld"),
          number_at(row.content, "loss"), number_at(row.content, "links_lost")};
}

}  // namespace anonkit::pg
