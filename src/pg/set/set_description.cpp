#include "pg/set/set_description.hpp"

#include <algorithm>
#include <cmath>

#include "pg/backend/catalog_rows.hpp"
#include "pg/backend/companion.hpp"
#include "pg/backend/elapsed.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/private_table.hpp"
#include "pg/backend/session.hpp"
#include "pg/release/release_note.hpp"
#include "pg/schedule/content.hpp"

extern "C" {
#include "access/xact.h"
#include "catalog/dependency.h"
#include "catalog/pg_namespace.h"
#include "commands/defrem.h"
#include "storage/lmgr.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {
namespace {

constexpr char kItem[] = "table";
constexpr char kKey[] = "key";

/// The views of a schema.
List* views_of(Oid schema) {
  List* views = NIL;
  for_dependents(NamespaceRelationId, schema, [&](const FormData_pg_depend& dependency) {
    if (dependency.classid == RelationRelationId &&
        get_rel_relkind(dependency.objid) == RELKIND_VIEW)
      views = lappend_oid(views, dependency.objid);
  });
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

/// A refresh of another session, while it holds the description, will wait for all sessions that
/// have used the tables. So they must not wait for it.
void take_turn(const SetQuery& set, LOCKMODE mode) {
  bool used = false;
  for (int t = 0; t < set.released.count; ++t) used = used || has_used(set.released.tables[t]);
  if (!used || ConditionalLockRelationOid(set.description, mode)) return;
  ereport(ERROR, (errcode(ERRCODE_LOCK_NOT_AVAILABLE),
                  errmsg("another session refreshes set \"%s\"", get_namespace_name(set.schema)),
                  errdetail("It may wait for the end of this transaction, which has used the set."),
                  errhint("Try again in a transaction that has not used the set.")));
}

/// Locks the description, and reads it again: until then, others could drop the set, or move it to
/// another schema. Like DROP SCHEMA, it locks the schema first, so neither waits for the other.
SetQuery lock_description(Oid schema, const SetQuery& before, LOCKMODE mode) {
  LockDatabaseObject(NamespaceRelationId, schema, 0,
                     mode == AccessExclusiveLock ? AccessExclusiveLock : AccessShareLock);
  take_turn(before, mode);
  LockRelationOid(before.description, mode);
  SetQuery set = {};
  if (!SearchSysCacheExists1(RELOID, ObjectIdGetDatum(before.description)) ||
      !read_set_query(before.description, set) || set.schema != schema)
    ereport(ERROR,
            (errcode(ERRCODE_UNDEFINED_SCHEMA), errmsg("the set was dropped by another session")));
  return set;
}

/// The number of pairs of one person's rows with one row or both in a table: a of all A rows are
/// the table's.
double pairs(double a, double all) {
  return a * (a - 1) / 2 + a * (all - a);
}

/// By person who takes part the rows in table t, or in all tables for t = -1.
int32* rows_by_person(const SetWork& work, int t, bool published) {
  auto* counts = allocate<int32>(work.rows.persons);
  for (int32 person = 0; person < work.rows.persons; ++person) counts[person] = 0;
  for (int table = 0; table < work.tables.count; ++table) {
    if (t >= 0 && table != t) continue;
    const SetTableRows& rows = work.rows.tables[table];
    for (int64 row = 0; row < rows.rows; ++row) {
      CHECK_FOR_INTERRUPTS();
      const int32 person = rows.person[row];
      if (published ? !work.withheld[table][row] : work.takes_part(person)) ++counts[person];
    }
  }
  return counts;
}

/// By person all rows, and those published. Plain data.
struct PersonRows {
  const int32* all;
  const int32* published;
};

/// Sets the pairs with a row of table t, and the share that cannot be joined any more.
void measure_links(const SetWork& work, const PersonRows& rows, int t, TableFigures& figures) {
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
  figures.pairs = before;
  figures.links = before == 0 ? NAN : 1 - after / before;
}

TableFigures table_figures(const SetWork& work, const PersonRows& persons, int t) {
  TableFigures figures = {static_cast<double>(work.published[t]),
                          static_cast<double>(work.runs[t].anonymized->suppressed),
                          work.runs[t].anonymized->ncp, NAN, 0};
  measure_links(work, persons, t, figures);
  return figures;
}

/// The mean of two means by their weights; that of one alone where the other is NaN.
double mean_of(double one, double weight, double other, double other_weight) {
  if (std::isnan(one) || weight == 0) return other;
  if (std::isnan(other) || other_weight == 0) return one;
  return (one * weight + other * other_weight) / (weight + other_weight);
}

/// The figures of a table that had these before, and got the others; the others alone where the
/// note was altered.
TableFigures added(const TableFigures& before, const TableFigures& more) {
  if (!std::isfinite(before.rows + before.withheld + before.pairs)) return more;
  return {before.rows + more.rows, before.withheld + more.withheld,
          mean_of(before.loss, before.rows + before.withheld, more.loss, more.rows + more.withheld),
          mean_of(before.links, before.pairs, more.links, more.pairs), before.pairs + more.pairs};
}

Jsonb* table_record(const TableFigures& figures) {
  JsonObject json;
  json.add("rows", figures.rows);
  json.add("withheld", figures.withheld);
  if (!std::isnan(figures.loss)) json.add("loss", figures.loss);
  if (!std::isnan(figures.links)) json.add("links_lost", figures.links);
  json.add("pairs", figures.pairs);
  return json.finish();
}

/// Sizes, and the mean loss of all cells.
Figures figures_of_set(const SetWork& work, const TableFigures* tables) {
  Figures figures = {};
  for (const FigureField& field : kFigureFields) figures.*field.member = NAN;
  figures.rows = figures.suppressed = 0;
  double cells = 0;
  double loss = 0;
  for (int t = 0; t < work.tables.count; ++t) {
    const TableFigures& table = tables[t];
    figures.rows += table.rows;
    figures.suppressed += table.withheld;
    if (std::isnan(table.loss)) continue;
    const double of_table = (table.rows + table.withheld) * work.runs[t].source.quasi_identifiers;
    cells += of_table;
    loss += of_table * table.loss;
  }
  if (cells > 0) figures.ncp = 100 * loss / cells;
  figures.seconds = seconds_since(work.runs[0].started_at);
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
  return lock_description(schema, require_set(schema), AccessShareLock);
}

SetQuery lock_set(Oid schema, LOCKMODE mode) {
  const SetQuery before = require_set(schema);
  require_owner(before.description);
  const SetQuery set = lock_description(schema, before, mode);
  require_owner(before.description);
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
  if (work.known != nullptr) spec.add_array(kKey, text_array(work.known->key));
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
  set.description = made_relation(name, set.schema);
  leave_to_owner(set.description);
}

void note_set(const SetQuery& set, const SetWork& work, const SetPromises& promises) {
  const PersonRows persons = {rows_by_person(work, -1, false), rows_by_person(work, -1, true)};
  const Oid companion = require_companion(set.description);
  auto* figures = allocate<TableFigures>(work.tables.count);
  for (int t = 0; t < work.tables.count; ++t) {
    const int place = place_of(set.sources, work.tables.tables[t].relation);
    figures[t] = table_figures(work, persons, t);
    if (work.is_growth()) figures[t] = added(read_table_figures(set, place), figures[t]);
    write_companion(companion, kItem, place, table_record(figures[t]), nullptr);
  }
  write_note(set.description, words_of_promises(promises), figures_of_set(work, figures),
             writes_behind(set.sources));
}

Names key_of_set(const SetQuery& set) {
  const JsonbValue* key = value_of_key(set.spec, kKey);
  return key == nullptr ? Names{nullptr, 0} : names_of(kKey, *key);
}

TableFigures read_table_figures(const SetQuery& set, int t) {
  const Oid companion = find_companion(set.description);
  CompanionRow row = {};
  if (OidIsValid(companion)) row = read_companion(companion, kItem, t);
  if (row.content == nullptr) return {NAN, NAN, NAN, NAN, NAN};
  return {number_at(row.content, "rows"), number_at(row.content, "withheld"),
          number_at(row.content, "loss"), number_at(row.content, "links_lost"),
          number_at(row.content, "pairs")};
}

}  // namespace anonkit::pg
