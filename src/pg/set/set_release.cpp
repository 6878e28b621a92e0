#include "pg/set/set_release.hpp"

#include <cstddef>
#include <cstring>

#include "pg/backend/compat.hpp"
#include "pg/backend/private_table.hpp"
#include "pg/backend/session.hpp"
#include "pg/release/sorted_spool.hpp"
#include "pg/release/table_writer.hpp"

extern "C" {
#include "commands/comment.h"
#include "utils/ruleutils.h"
}

namespace anonkit::pg {
namespace {

/// One of the tables during its making.
struct NewTable {
  const PreparedSet* set;
  int number;
  const char* quoted;  ///< its qualified name
  const SourceColumn** columns;

  const Run& run() const { return set->runs[number]; }
  const KeyColumns& keys() const { return set->keys[number]; }
  const SetTable& described() const { return set->tables->tables[number]; }
};

/// `released`, unless it is invalid, is the table that readers see, and its columns give the order.
NewTable new_table(const PreparedSet& set, int t, const char* quoted, Oid released = InvalidOid) {
  const Source& source = set.runs[t].source;
  if (!OidIsValid(released)) return {&set, t, quoted, released_columns(source)};
  const auto place_of = [released](const char* name) { return get_attnum(released, name); };
  return {&set, t, quoted, released_columns(source, place_of)};
}

char* type_of_column(const NewTable& table, const SourceColumn& column) {
  if (table.keys().find(column.number) != nullptr) return pstrdup("pg_catalog.int8");
  char* type = format_type_with_typemod(column.released_type, column.released_typmod);
  if (!OidIsValid(column.released_collation) ||
      column.released_collation == get_typcollation(column.released_type))
    return type;
  return psprintf("%s COLLATE %s", type, generate_collation_name(column.released_collation));
}

/// The columns of CREATE TABLE. One that is NOT NULL in the source has no null here, either.
char* definitions(const NewTable& table) {
  StringInfoData list;
  initStringInfo(&list);
  Relation source = open_relation(table.run().source.relation);
  for (int i = 0; i < table.run().source.count; ++i) {
    const SourceColumn& column = *table.columns[i];
    const bool not_null = has_no_null(RelationGetDescr(source), column.number - 1);
    appendStringInfo(&list, "%s%s %s%s", i > 0 ? ", " : "", quote_identifier(column.name),
                     type_of_column(table, column), not_null ? " NOT NULL" : "");
  }
  relation_close(source, NoLock);
  return list.data;
}

void create_table(const NewTable& table, Oid schema) {
  execute(psprintf("CREATE TABLE %s (%s) USING heap", table.quoted, definitions(table)),
          SPI_OK_UTILITY);
  leave_to_owner(made_relation(table.set->names[table.number], schema));
}

/// Fills a row of the release: pseudonyms, masked cells and spooled values.
void fill_row(const NewTable& table, const SpooledRow& spooled, Datum* values, bool* nulls) {
  const Run& run = table.run();
  for (int i = 0; i < run.source.count; ++i) {
    const SourceColumn* column = table.columns[i];
    const std::ptrdiff_t j = column - run.source.columns;
    if (const KeyColumn* key = table.keys().find(column->number); key != nullptr) {
      const int64 value =
          key_value(*table.set->rows, *table.set->pseudonyms, table.number, spooled.row, key->of);
      values[i] = Int64GetDatum(value);
      nulls[i] = value == 0;
    } else if (j < run.source.quasi_identifiers) {
      const Datum* cells = run.cells_of(spooled.row);
      values[i] = cells[j];
      nulls[i] = run.nulls_of(cells)[j];
    } else {
      values[i] = spooled.values[column - run.source.spooled()];
      nulls[i] = spooled.nulls[column - run.source.spooled()];
    }
  }
}

/// An error for a null in a column that is NOT NULL. The writer of rows does not look, and sources
/// such as foreign tables declare NOT NULL without a check.
void require_no_null(TupleDesc descriptor, const bool* nulls) {
  for (int i = 0; i < descriptor->natts; ++i) {
    const FormData_pg_attribute& column = *TupleDescAttr(descriptor, i);
    if (has_no_null(descriptor, i) && nulls[i])
      ereport(ERROR, (errcode(ERRCODE_NOT_NULL_VIOLATION),
                      errmsg("column \"%s\" of table \"%s\" is NOT NULL, and has a null",
                             NameStr(column.attname), get_rel_name(column.attrelid)),
                      errhint("Leave rows with a null out in a view.")));
  }
}

struct Writing {
  const NewTable* table;
  TupleDesc descriptor;
  Datum* values;
  bool* nulls;
  TableWriter* writer;
};

void write_spooled(const SpooledRow& spooled, void* state) {
  const auto& writing = *static_cast<const Writing*>(state);
  fill_row(*writing.table, spooled, writing.values, writing.nulls);
  require_no_null(writing.descriptor, writing.nulls);
  write_row(*writing.writer, writing.values, writing.nulls);
}

/// Writes the published rows in the order of their pseudonyms. The table that readers see declares
/// which columns are NOT NULL; one beside it does not.
void write_rows(const NewTable& table, Oid relation, Oid released) {
  const int columns = table.run().source.count;
  Relation opened = table_open(released, NoLock);
  Writing writing = {&table, RelationGetDescr(opened), allocate<Datum>(columns),
                     allocate<bool>(columns), begin_writing(relation)};
  for_each_by_key(table.run(), table.set->pseudonyms->rows[table.number], write_spooled, &writing);
  end_writing(*writing.writer);
  table_close(opened, NoLock);
}

/// True if a table that readers see has the columns of the set.
bool has_columns(Oid released, const PreparedSet& set, int t) {
  const NewTable table = new_table(set, t, nullptr, released);
  Relation relation = table_open(released, AccessShareLock);
  TupleDesc columns = RelationGetDescr(relation);
  bool same = columns->natts == table.run().source.count;
  for (int i = 0; same && i < columns->natts; ++i) {
    const FormData_pg_attribute& column = *TupleDescAttr(columns, i);
    const SourceColumn& now = *table.columns[i];
    const bool key = table.keys().find(now.number) != nullptr;
    same = !column.attisdropped && std::strcmp(NameStr(column.attname), now.name) == 0 &&
           column.atttypid == (key ? INT8OID : now.released_type) &&
           column.atttypmod == (key ? -1 : now.released_typmod);
  }
  table_close(relation, NoLock);
  return same;
}

/// Keys of rows are unique.
void add_keys(const NewTable& table) {
  for (int i = 0; i < table.keys().count; ++i) {
    const KeyColumn& key = table.keys().list[i];
    if (key.of != KeyOf::row && !key.primary) continue;
    execute(psprintf("ALTER TABLE %s ADD %s (%s)", table.quoted,
                     key.primary ? "PRIMARY KEY" : "UNIQUE", quote_identifier(key.name)),
            SPI_OK_UTILITY);
  }
}

void refer(const NewTable& table, const KeyPair& by, const NewTable& other) {
  execute(psprintf("ALTER TABLE %s ADD FOREIGN KEY (%s) REFERENCES %s (%s)", table.quoted,
                   quote_identifier(get_attname(table.described().relation, by.own[0], false)),
                   other.quoted,
                   quote_identifier(get_attname(other.described().relation, by.other[0], false))),
          SPI_OK_UTILITY);
}

/// Foreign keys to the parent and to the person, and indexes for joins. Persons above the root have
/// no table to refer to.
void add_references(const NewTable* tables, int t) {
  const NewTable& table = tables[t];
  const SetTable& described = table.described();
  if (described.parent >= 0) refer(table, described.up, tables[described.parent]);
  if (described.person.count > 0 && tables[0].described().person_column_count == 0)
    refer(table, described.person, tables[0]);
  for (int i = 0; i < table.keys().count; ++i) {
    const KeyColumn& key = table.keys().list[i];
    if (key.of == KeyOf::row || key.primary) continue;
    execute(psprintf("CREATE INDEX ON %s (%s)", table.quoted, quote_identifier(key.name)),
            SPI_OK_UTILITY);
  }
}

void copy_comments(const NewTable& table) {
  const Oid source = table.run().source.relation;
  if (const char* comment = GetComment(source, RelationRelationId, 0); comment != nullptr)
    execute(psprintf("COMMENT ON TABLE %s IS %s", table.quoted, quote_literal_cstr(comment)),
            SPI_OK_UTILITY);
  for (int i = 0; i < table.run().source.count; ++i) {
    const char* comment = GetComment(source, RelationRelationId, table.columns[i]->number);
    if (comment == nullptr) continue;
    execute(psprintf("COMMENT ON COLUMN %s.%s IS %s", table.quoted,
                     quote_identifier(table.columns[i]->name), quote_literal_cstr(comment)),
            SPI_OK_UTILITY);
  }
}

}  // namespace

Oid made_table(const PreparedSet& set, int t, Oid schema) {
  const Oid table = made_relation(set.names[t], schema);
  if (!has_columns(table, set, t)) refuse_made(set.names[t], "It has other columns.");
  return table;
}

namespace {

/// An error for a table that an event trigger has changed before its rows are written, which leaves
/// indexes without them.
void require_new(Oid table) {
  require_as_made(table);
  Relation opened = table_open(table, NoLock);
  if (opened->rd_rel->relhasindex) refuse_made(RelationGetRelationName(opened), "It has an index.");
  table_close(opened, NoLock);
}

}  // namespace

Oid write_set(const char* name, const PreparedSet& set) {
  execute(psprintf("CREATE SCHEMA %s", quote_identifier(name)), SPI_OK_UTILITY);
  const Oid schema = get_namespace_oid(name, false);
  leave_schema_to_owner(schema);
  auto* tables = allocate<NewTable>(set.tables->count);
  for (int t = 0; t < set.tables->count; ++t) {
    tables[t] = new_table(set, t, quote_qualified_identifier(name, set.names[t]));
    create_table(tables[t], schema);
    const Oid relation = made_table(set, t, schema);
    require_new(relation);
    write_rows(tables[t], relation, relation);
    add_keys(tables[t]);
    copy_comments(tables[t]);
  }
  for (int t = 0; t < set.tables->count; ++t) add_references(tables, t);
  return schema;
}

void write_rows_into(const Oid* tables, const Oid* released, const PreparedSet& set) {
  for (int t = 0; t < set.tables->count; ++t)
    write_rows(new_table(set, t, qualified_name_of(tables[t]), released[t]), tables[t],
               released[t]);
}

// The owner may have altered the table, and the source may have other types now.
void require_columns(Oid released, const PreparedSet& set, int t) {
  if (has_columns(released, set, t)) return;
  ereport(ERROR,
          (errcode(ERRCODE_DATATYPE_MISMATCH),
           errmsg("table \"%s\" of the set would change its columns", relation_name(released)),
           errdetail("It was altered, or its source has other columns or types than at "
                     "publication."),
           errhint("Use anon_drop_set and anon_publish_set.")));
}

}  // namespace anonkit::pg
