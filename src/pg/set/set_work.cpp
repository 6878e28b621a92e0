#include "pg/set/set_work.hpp"

#include <cmath>
#include <cstring>

#include "model/linked_levels.hpp"

#include "pg/backend/described.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/release/publish.hpp"
#include "pg/set/set_columns.hpp"
#include "pg/set/set_forming.hpp"
#include "pg/set/set_known_rows.hpp"
#include "pg/set/set_persons.hpp"

extern "C" {
#include "access/xact.h"
}

namespace anonkit::pg {
namespace {

/// The columns to keep, and those of keys: all that bypass the core.
Names spooled_names(const SetTable& table, const KeyColumns& keys) {
  Names names = {allocate<char*>(table.keep.count + keys.count), 0};
  for (int i = 0; i < table.keep.count; ++i) names.names[names.count++] = table.keep.names[i];
  for (int i = 0; i < keys.count; ++i)
    names.names[names.count++] = const_cast<char*>(keys.list[i].name);
  return names;
}

/// An error for a key among the other columns: it is published as a pseudonym.
void require_keys_apart(const SetTable& table, const KeyColumns& keys) {
  Relation relation = open_relation(table.relation);
  for (int i = 0; i < keys.count; ++i)
    for (const Names& names : {table.qi, table.sensitive, table.keep})
      if (is_named(RelationGetDescr(relation), keys.list[i].number, names))
        refuse_table(table.name, psprintf("names column \"%s\", which is a key", keys.list[i].name),
                     "Keys are published as pseudonyms. To publish it as well, repeat the column "
                     "in a view.");
  relation_close(relation, NoLock);
}

/// An error for a coarsened key: rounded pseudonyms would neither identify rows nor tell anything.
void require_keys_whole(const SetTable& table, const KeyColumns& keys, const Spec& spec) {
  Relation relation = open_relation(table.relation);
  for (int i = 0; i < spec.coarsenings.count; ++i)
    for (int key = 0; key < keys.count; ++key)
      if (is_named(RelationGetDescr(relation), keys.list[key].number,
                   {&spec.coarsenings.list[i].column, 1}))
        refuse_table(table.name,
                     psprintf("coarsens column \"%s\", which is a key", keys.list[key].name),
                     "Keys are published as pseudonyms. To publish it coarsened as well, repeat "
                     "the column in a view, and keep it.");
  relation_close(relation, NoLock);
}

Spec spec_of_table(const SetTable& table, const KeyColumns& keys) {
  require_keys_apart(table, keys);
  JsonObject json;
  json.add_array("qi", text_array(table.qi));
  json.add_array("sensitive", text_array(table.sensitive));
  json.add_array("keep", text_array(spooled_names(table, keys)));
  for (const char* key : {"hierarchies", "coarsen", "protected"})
    if (const JsonbValue* value = value_of_key(table.options, key); value != nullptr)
      json.add_value(key, value);
  const Spec spec = read_table_spec(json.finish());
  require_keys_whole(table, keys, spec);
  return spec;
}

void check_tables(const SetTables& set, const SetPromises& promises) {
  if (set.count < 2)
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("a set has at least two tables"),
             errhint("anon_publish releases one table, with unit of several rows a person.")));
  bool is_protecting = false;
  for (int t = 0; t < set.count; ++t) {
    const SetTable& table = set.tables[t];
    is_protecting = is_protecting || table.protected_spec != nullptr;
    for (int other = 0; other < t; ++other)
      if (std::strcmp(relation_name(table.relation), relation_name(set.tables[other].relation)) ==
          0)
        refuse_table(table.name, "has the name of another one in the release",
                     "Rename one of them in a view.");
    if (get_rel_persistence(table.relation) == RELPERSISTENCE_TEMP)
      refuse_table(table.name, "is temporary", "Copy it into a table first.");
    if (table.max_rows > 0 && t == 0 && table.person_column_count == 0)
      refuse_table(table.name, "has one row a person, and \"max_rows\"",
                   "The limit is one of rows of a person in tables below the root.");
  }
  if (is_protecting && promises.alpha > 1 && promises.l == 0)
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("protected values need alpha or l"),
             errhint("Without these, sensitive columns are published without a promise.")));
  require_sensitive(set, promises);
}

/// The tables without columns of values: their keys.
SetTables with_keys_only(const SetTables& set) {
  SetTables keys = {allocate<SetTable>(set.count), set.count};
  for (int t = 0; t < set.count; ++t) {
    keys.tables[t] = set.tables[t];
    keys.tables[t].qi = keys.tables[t].sensitive = {nullptr, 0};
    keys.tables[t].protected_spec = nullptr;
  }
  return keys;
}

SetRows read_keys(const SetWork& work) {
  auto* spools = allocate<SpooledTable>(work.tables.count);
  for (int t = 0; t < work.tables.count; ++t) {
    const Source& source = work.runs[t].source;
    auto* columns = allocate<AttrNumber>(source.spooled_count());
    for (int i = 0; i < source.spooled_count(); ++i) columns[i] = source.spooled()[i].number;
    const Loaded& loaded = work.runs[t].loaded;
    spools[t] = {loaded.spool, loaded.spool_descriptor, columns, source.spooled_count()};
  }
  return read_spooled_keys(with_keys_only(work.tables), spools, work.memory);
}

/// Finds the tables of hierarchies by their names, so it runs in the caller's search path.
Spec* read_specs(const SetWork& work) {
  auto* specs = allocate<Spec>(work.tables.count);
  for (int t = 0; t < work.tables.count; ++t)
    specs[t] = spec_of_table(work.tables.tables[t], work.keys[t]);
  return specs;
}

/// By sensitive column of a table, by rank the protected value or -1; null for a column without
/// protected values.
const int32** protected_values_of(const Run& run) {
  auto** values = allocate<const int32*>(run.source.sensitive_count);
  for (int a = 0; a < run.source.sensitive_count; ++a) {
    const ProtectedValues* only = run.loaded.rows == 0 ? nullptr : run.loaded.protected_values[a];
    values[a] = only == nullptr
                    ? nullptr
                    : protected_numbers(*run.loaded.sensitive_hierarchies[a], *only).data();
  }
  return values;
}

void read_tables(SetWork& work) {
  work.memory = new_memory_count("Raise anonkit.max_memory, or publish fewer rows or columns.");
  work.runs = allocate<Run>(work.tables.count);
  for (int t = 0; t < work.tables.count; ++t)
    work.runs[t] = begin_run(work.tables.tables[t].relation, work.specs[t]);
  check_columns(work);
  for (int t = 0; t < work.tables.count; ++t) {
    read_rows(work.runs[t], Spool::columns, Excess::refuse);
    count_memory(*work.memory, work.runs[t].loaded.needed_bytes);
  }
  work.rows = read_keys(work);
  take_columns(work);
  work.protected_values = allocate<const int32**>(work.tables.count);
  for (int t = 0; t < work.tables.count; ++t)
    work.protected_values[t] = protected_values_of(work.runs[t]);
}

/// Rows that are not written: their writer would end the spools, which may have temporary files.
void forget_rows(SetWork& work) {
  for (int t = 0; t < work.tables.count; ++t) {
    Loaded& loaded = work.runs[t].loaded;
    if (loaded.spool != nullptr) tuplestore_end(loaded.spool);
    loaded.spool = nullptr;
  }
}

/// Marks the persons whom the set has taken before.
void find_known_persons(SetWork& work, const Key& key) {
  // The hashes of all persons, the list, and the next one.
  count_memory(*work.memory,
               kPersonBytes * (2 * int64{work.rows.persons} + 2 * work.known->list.count));
  work.hashes = hashes_of_persons(*work.known, key, work.runs[0], work.rows);
  work.absent = allocate<bool>(work.rows.persons);
  for (int32 person = 0; person < work.rows.persons; ++person) {
    CHECK_FOR_INTERRUPTS();
    work.absent[person] = is_known(*work.known, work.hashes[person]);
    if (work.absent[person]) --work.present;
  }
  require_same_key(work.tables.tables[0], *work.known, key, work.rows.persons - work.present);
}

/// A row's class, or its number in `labels`, unless null; kNone: it is not judged.
int32 label_of(const SetWork& work, const int32* const* labels, int t, int64 row) {
  if (labels != nullptr && labels[t] != nullptr) return labels[t][row];
  return work.withheld[t][row] ? kNone
                               : work.runs[t].anonymized->cells(static_cast<std::size_t>(row));
}

/// By table and row of the source the number of the row among those that are judged. Plain data.
int32** judged_numbers(const SetWork& work, const int32* const* labels) {
  auto* numbers = allocate<int32*>(work.tables.count);
  for (int t = 0; t < work.tables.count; ++t) {
    const int64 rows = work.rows.tables[t].rows;
    numbers[t] = allocate<int32>(rows);
    int32 next = 0;
    for (int64 row = 0; row < rows; ++row) {
      CHECK_FOR_INTERRUPTS();
      numbers[t][row] = label_of(work, labels, t, row) == kNone ? kNone : next++;
    }
  }
  return numbers;
}

/// By person the number among those who take part. Plain data.
int32* present_numbers(const SetWork& work) {
  auto* numbers = allocate<int32>(work.rows.persons);
  int32 next = 0;
  for (int32 person = 0; person < work.rows.persons; ++person)
    numbers[person] = work.takes_part(person) ? next++ : kNone;
  return numbers;
}

}  // namespace

// Groups of persons have no class in common, so each one is judged by itself; the classes of a
// reader unite some.
SetRows rows_by_group(const SetWork& work, const int32* const* labels) {
  SetRows judged = work.rows;
  judged.set = work.tables;
  judged.tables = allocate<SetTableRows>(work.tables.count);
  judged.persons = work.present;
  int32** number = judged_numbers(work, labels);
  const int32* person_number = present_numbers(work);
  for (int t = 0; t < work.tables.count; ++t) {
    const SetTableRows& from = work.rows.tables[t];
    const Run& run = work.runs[t];
    const SetTable& described = work.tables.tables[t];
    SetTableRows& to = judged.tables[t] = {};
    to.label = allocate<int32>(from.rows);
    to.person = allocate<int32>(from.rows);
    to.parent_row = allocate<int32>(from.rows);
    to.sensitive = allocate<ValueRanks>(described.sensitive.count);
    to.protected_codes = allocate<int32*>(described.sensitive.count);
    for (int a = 0; a < described.sensitive.count; ++a) {
      to.sensitive[a] = {};
      to.sensitive[a].codes = allocate<int32>(from.rows);
      to.sensitive[a].distinct = run.loaded.ranks[a].distinct + 1;
      to.protected_codes[a] =
          work.protected_values[t][a] == nullptr ? nullptr : to.sensitive[a].codes;
    }
    for (int64 row = 0; row < from.rows; ++row) {
      CHECK_FOR_INTERRUPTS();
      const int32 label = label_of(work, labels, t, row);
      if (label == kNone) continue;
      to.label[to.rows] = label;
      to.person[to.rows] = person_number[from.person[row]];
      const int32 parent = described.parent < 0 ? kNone : from.parent_row[row];
      to.parent_row[to.rows] = parent < 0 ? kNone : number[described.parent][parent];
      for (int a = 0; a < described.sensitive.count; ++a) {
        const int32 rank = run.loaded.ranks[a].ranks[row];
        const int32* only = work.protected_values[t][a];
        const int32 value = only == nullptr ? rank : only[rank];
        to.sensitive[a].codes[to.rows] = work.withheld[t][row] ? kNone : value;
      }
      ++to.rows;
    }
  }
  return judged;
}

namespace {

/// A written table's columns, by the names of its source's.
AttrNumber* written_columns(Oid source, Oid written, const AttrNumber* columns, int count) {
  auto* found = allocate<AttrNumber>(count);
  for (int i = 0; i < count; ++i)
    found[i] = get_attnum(written, get_attname(source, columns[i], false));
  return found;
}

/// The reference of a written table to another one.
KeyPair written_pair(const KeyPair& pair, const SetTable& from, Oid own, const SetTable& to,
                     Oid other) {
  return {written_columns(from.relation, own, pair.own, pair.count),
          written_columns(to.relation, other, pair.other, pair.count), pair.count};
}

/// The written tables with the links of their sources, for their audit.
SetTables written_tables(const SetTables& set, const Oid* relations, const char* const* names) {
  SetTables written = {allocate<SetTable>(set.count), set.count};
  for (int t = 0; t < set.count; ++t) {
    const SetTable& source = set.tables[t];
    // Columns are found by the names that the source gave them.
    require_described(source.relation);
    SetTable& table = written.tables[t] = source;
    relation_name(relations[t]);  // or an error: code of the source may have dropped it
    table.name = pstrdup(names[t]);
    table.relation = relations[t];
    if (source.parent >= 0)
      table.up = written_pair(source.up, source, relations[t], set.tables[source.parent],
                              relations[source.parent]);
    table.person = written_pair(source.person, source, relations[t], set.tables[0], relations[0]);
    table.person_columns = written_columns(source.relation, relations[t], source.person_columns,
                                           source.person_column_count);
  }
  return written;
}

}  // namespace

// In a security-restricted operation: views run their owners' code.
SetWork prepare_set(const SetTables& tables, const SetPromises& promises,
                    const KnownPersons* known) {
  SetWork work = {};
  work.tables = tables;
  work.known = known;
  check_tables(work.tables, promises);
  work.keys = key_columns_of(work.tables);
  Key key = {};
  if (known != nullptr) key = key_of_persons(work.tables.tables[0], work.keys[0], known->key);
  work.specs = read_specs(work);
  for (int t = 0; t < work.tables.count; ++t) lock_source(work.tables.tables[t].relation);
  PushActiveSnapshot(GetTransactionSnapshot());
  const OwnersWork own = begin_work_as(GetUserId());
  read_tables(work);
  work.present = work.rows.persons;
  if (known != nullptr) {
    find_known_persons(work, key);
    find_known_rows(work);
  }
  if (has_too_few_persons(work, promises)) {
    forget_rows(work);
    end_owners_work(own);
    return work;
  }
  form_cells(work, promises);
  require_levels(rows_by_group(work, nullptr), promises);
  end_owners_work(own);
  return work;
}

bool has_too_few_persons(const SetWork& work, const SetPromises& promises) {
  return work.is_growth() && work.present < promises.k;
}

PreparedSet prepared_set(const SetWork& work, const char* const* names, int64 used) {
  PreparedSet set = unnumbered_set(work, names);
  auto* pseudonyms = allocate<Pseudonyms>(1);
  *pseudonyms = draw_pseudonyms(work.rows, work.withheld, used);
  set.pseudonyms = pseudonyms;
  return set;
}

PreparedSet unnumbered_set(const SetWork& work, const char* const* names) {
  auto* rows = allocate<SetRows>(1);
  *rows = work.rows;
  auto* tables = allocate<SetTables>(1);
  *tables = work.tables;
  return {rows, tables, work.runs, work.keys, nullptr, names};
}

void audit_written(const SetWork& work, const Oid* written, const char* const* names,
                   const SetPromises& promises) {
  CommandCounterIncrement();
  UpdateActiveSnapshotCommandId();
  // The rows of the release are still in memory: one limit holds for both.
  require_levels(read_set_rows(written_tables(work.tables, written, names), work.memory), promises);
}

void return_table_rows(const SetWork& work, const char* const* names, ReturnSetInfo* result) {
  for (int t = 0; t < work.tables.count; ++t) {
    // Nothing is formed where too few persons are new.
    const Anonymized* formed = work.runs[t].anonymized;
    const double loss = formed == nullptr ? NAN : formed->ncp;
    Datum values[] = {
        CStringGetTextDatum(names[t]), Int64GetDatum(formed == nullptr ? 0 : work.published[t]),
        Int64GetDatum(formed == nullptr ? 0 : formed->suppressed), Float8GetDatum(loss)};
    bool nulls[] = {false, false, false, std::isnan(loss)};
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  }
}

}  // namespace anonkit::pg
