#include "pg/set/set_reader.hpp"

#include <algorithm>
#include <cstring>

#include "base/at.hpp"
#include "model/row_classes.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/memory_count.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/user_query.hpp"
#include "pg/read/source.hpp"
#include "pg/set/set_protected.hpp"

namespace anonkit::pg {
namespace {

/// How values of two columns are compared.
enum class KeyForm : uint8 { as_they_are, integers, texts };

/// A reference between tables: the values of both sides have common ranks, those of the other table
/// first.
struct Link {
  const KeyPair* pair;
  int own;    ///< the table that refers
  int other;  ///< the table that it refers to
  ValueRanks* ranks;
  KeyForm* forms;
};

/// The columns that identify persons in the root.
struct PersonColumns {
  ValueRanks* ranks;
  int count;
};

struct Reading {
  SetRows* rows;
  int table;
  Link* links;
  int link_count;
  PersonColumns persons;
  int64 capacity;
  MemoryCount* memory;
  const SpooledTable* spools;  ///< by table; null: rows are those of a query
};

bool is_integer(Oid type) {
  return type == INT2OID || type == INT4OID || type == INT8OID;
}

bool is_text(Oid type) {
  return type == TEXTOID || type == VARCHAROID || type == BPCHAROID || type == NAMEOID;
}

KeyForm form_of(const SetTable& own, const SetTable& other, Form_pg_attribute from,
                Form_pg_attribute to) {
  const Oid types[] = {getBaseType(from->atttypid), getBaseType(to->atttypid)};
  if (is_integer(types[0]) && is_integer(types[1])) return KeyForm::integers;
  if (types[0] == types[1]) return KeyForm::as_they_are;
  if (is_text(types[0]) && is_text(types[1])) return KeyForm::texts;
  ereport(ERROR,
          (errcode(ERRCODE_DATATYPE_MISMATCH),
           errmsg("column \"%s\" of table \"%s\" cannot refer to column \"%s\" of table \"%s\"",
                  NameStr(from->attname), own.name, NameStr(to->attname), other.name),
           errdetail("Their types are %s and %s.", format_type_be(from->atttypid),
                     format_type_be(to->atttypid)),
           errhint("Cast one of them in a view.")));
  pg_unreachable();
}

/// The declaration of values in their common form.
FormData_pg_attribute common_attribute(const FormData_pg_attribute* from, KeyForm form) {
  FormData_pg_attribute attribute = text_attribute(from);
  if (form == KeyForm::as_they_are) std::memcpy(&attribute, from, ATTRIBUTE_FIXED_PART_SIZE);
  if (form == KeyForm::integers) {
    attribute.atttypid = INT8OID;
    attribute.attcollation = InvalidOid;
    attribute.attlen = sizeof(int64);
    attribute.attbyval = FLOAT8PASSBYVAL;
  }
  return attribute;
}

Link make_link(const SetTables& set, int own, int other, const KeyPair& pair, MemoryCount* memory) {
  Link link = {&pair, own, other, allocate<ValueRanks>(pair.count), allocate<KeyForm>(pair.count)};
  Relation from = open_relation(set.tables[own].relation);
  Relation to = open_relation(set.tables[other].relation);
  for (int i = 0; i < pair.count; ++i) {
    Form_pg_attribute own_column = TupleDescAttr(RelationGetDescr(from), pair.own[i] - 1);
    Form_pg_attribute other_column = TupleDescAttr(RelationGetDescr(to), pair.other[i] - 1);
    // Values are converted to the common form only if their type is built in.
    require_order(NameStr(own_column->attname), own_column->atttypid);
    require_order(NameStr(other_column->attname), other_column->atttypid);
    link.forms[i] = form_of(set.tables[own], set.tables[other], own_column, other_column);
    const FormData_pg_attribute common = common_attribute(other_column, link.forms[i]);
    link.ranks[i] = make_value_ranks(&common, kFirstCapacity, memory);
  }
  relation_close(to, NoLock);
  relation_close(from, NoLock);
  return link;
}

Link* make_links(const SetTables& set, int* count, MemoryCount* memory) {
  Link* links = allocate<Link>(2 * set.count);
  *count = 0;
  for (int t = 1; t < set.count; ++t) {
    const SetTable& table = set.tables[t];
    links[(*count)++] = make_link(set, t, table.parent, table.up, memory);
    if (table.person.count > 0) links[(*count)++] = make_link(set, t, 0, table.person, memory);
  }
  return links;
}

ValueRanks* ranks_of(Relation relation, const SetTable& table, const Names& names,
                     MemoryCount* memory) {
  ValueRanks* ranks = allocate<ValueRanks>(names.count);
  for (int j = 0; j < names.count; ++j) {
    const AttrNumber number = find_column(RelationGetDescr(relation), names.names[j], table.name);
    ranks[j] = make_value_ranks(TupleDescAttr(RelationGetDescr(relation), number - 1),
                                kFirstCapacity, memory);
  }
  return ranks;
}

Datum common_value(KeyForm form, Oid type, Datum value) {
  if (form == KeyForm::texts) return cast_to_text(type, value);
  if (form == KeyForm::as_they_are) return value;
  switch (getBaseType(type)) {
    case INT2OID:
      return Int64GetDatum(DatumGetInt16(value));
    case INT4OID:
      return Int64GetDatum(DatumGetInt32(value));
    default:
      return value;
  }
}

/// The place of a table's first row among the ranks of a link.
int64 first_of(const Reading& reading, const Link& link) {
  return link.own == reading.table ? reading.rows->tables[link.other].rows : 0;
}

/// The judge keeps numbers of rows, the records of a person, and counts.
constexpr int64 kCoreBytesPerRow = 64;

void grow(Reading& reading, int64 capacity) {
  SetTableRows& table = reading.rows->tables[reading.table];
  const SetTable& described = reading.rows->set.tables[reading.table];
  count_memory(*reading.memory, (capacity - table.rows) * kCoreBytesPerRow);
  reading.capacity = capacity;
  for (int j = 0; j < described.qi.count; ++j) grow_ranks(table.qi[j], capacity);
  for (int j = 0; j < described.sensitive.count; ++j) grow_ranks(table.sensitive[j], capacity);
  for (int l = 0; l < reading.link_count; ++l) {
    const Link& link = reading.links[l];
    if (link.own != reading.table && link.other != reading.table) continue;
    for (int i = 0; i < link.pair->count; ++i)
      grow_ranks(link.ranks[i], first_of(reading, link) + capacity);
  }
  for (int i = 0; reading.table == 0 && i < reading.persons.count; ++i)
    grow_ranks(reading.persons.ranks[i], capacity);
}

/// A row consists of the quasi-identifiers, the sensitive columns, this table's side of each link
/// and, in the root, the columns of the person.
void add_row(TupleTableSlot* slot, void* state) {
  auto& reading = *static_cast<Reading*>(state);
  SetTableRows& table = reading.rows->tables[reading.table];
  const SetTable& described = reading.rows->set.tables[reading.table];
  if (table.rows >= INT_MAX / 2)
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many rows to audit")));
  if (table.rows == reading.capacity) grow(reading, reading.capacity + reading.capacity / 2);
  int at = 0;
  const auto add = [&](ValueRanks& ranks) {
    add_value(ranks, table.rows, slot->tts_values[at], slot->tts_isnull[at]);
    ++at;
  };
  for (int j = 0; j < described.qi.count; ++j) add(table.qi[j]);
  for (int j = 0; j < described.sensitive.count; ++j) add(table.sensitive[j]);
  for (int l = 0; l < reading.link_count; ++l) {
    const Link& link = reading.links[l];
    if (link.own != reading.table && link.other != reading.table) continue;
    for (int i = 0; i < link.pair->count; ++i, ++at) {
      const Oid type = TupleDescAttr(slot->tts_tupleDescriptor, at)->atttypid;
      const bool is_null = slot->tts_isnull[at];
      const Datum value =
          is_null ? Datum{0} : common_value(link.forms[i], type, slot->tts_values[at]);
      add_value(link.ranks[i], first_of(reading, link) + table.rows, value, is_null);
    }
  }
  for (int i = 0; reading.table == 0 && i < reading.persons.count; ++i)
    add(reading.persons.ranks[i]);
  ++table.rows;
}

/// The columns of keys of the table that is being read: its side of each link, and those of the
/// person. Returns their number.
int key_columns(const Reading& reading, AttrNumber* columns) {
  int count = 0;
  for (int l = 0; l < reading.link_count; ++l) {
    const Link& link = reading.links[l];
    if (link.own != reading.table && link.other != reading.table) continue;
    for (int i = 0; i < link.pair->count; ++i)
      columns[count++] = link.own == reading.table ? link.pair->own[i] : link.pair->other[i];
  }
  const SetTable& described = reading.rows->set.tables[reading.table];
  for (int i = 0; reading.table == 0 && i < reading.persons.count; ++i)
    columns[count++] = described.person_columns[i];
  return count;
}

AttrNumber* room_for_keys(const Reading& reading) {
  int most = reading.persons.count;
  for (int l = 0; l < reading.link_count; ++l) most += reading.links[l].pair->count;
  return allocate<AttrNumber>(most);
}

/// The query for the columns of the table that is being read.
char* columns_query(const Reading& reading, Relation relation) {
  const SetTable& described = reading.rows->set.tables[reading.table];
  TupleDesc descriptor = RelationGetDescr(relation);
  UserQuery query = begin_user_query();
  const auto add = [&](AttrNumber number) {
    add_column(query, NameStr(TupleDescAttr(descriptor, number - 1)->attname));
  };
  for (const Names& names : {described.qi, described.sensitive})
    for (int j = 0; j < names.count; ++j) add(find_column(descriptor, names.names[j]));
  AttrNumber* keys = room_for_keys(reading);
  const int count = key_columns(reading, keys);
  for (int i = 0; i < count; ++i) add(keys[i]);
  return end_user_query(query, described.relation);
}

int place_in(const SpooledTable& from, AttrNumber column) {
  for (int i = 0; i < from.column_count; ++i)
    if (from.columns[i] == column) return i;
  elog(ERROR, "key column %d is not spooled", column);
  pg_unreachable();
}

/// Passes the keys of the rows in a spool.
void add_spooled_rows(Reading& reading, const SpooledTable& from) {
  AttrNumber* keys = room_for_keys(reading);
  const int count = key_columns(reading, keys);
  int* place = allocate<int>(count);
  TupleDesc descriptor = CreateTemplateTupleDesc(count);
  for (int i = 0; i < count; ++i) {
    place[i] = place_in(from, keys[i]);
    TupleDescCopyEntry(descriptor, static_cast<AttrNumber>(i + 1), from.descriptor,
                       static_cast<AttrNumber>(place[i] + 1));
  }
  TupleTableSlot* row = MakeSingleTupleTableSlot(from.descriptor, &TTSOpsMinimalTuple);
  TupleTableSlot* of_keys = MakeSingleTupleTableSlot(descriptor, &TTSOpsVirtual);
  MemoryContext scratch =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit keys", ALLOCSET_DEFAULT_SIZES);
  tuplestore_rescan(from.spool);
  while (tuplestore_gettupleslot(from.spool, true, false, row)) {
    CHECK_FOR_INTERRUPTS();
    slot_getallattrs(row);
    ExecClearTuple(of_keys);
    for (int i = 0; i < count; ++i) {
      of_keys->tts_values[i] = row->tts_values[place[i]];
      of_keys->tts_isnull[i] = row->tts_isnull[place[i]];
    }
    ExecStoreVirtualTuple(of_keys);
    MemoryContext old = MemoryContextSwitchTo(scratch);
    add_row(of_keys, &reading);
    MemoryContextSwitchTo(old);
    MemoryContextReset(scratch);
  }
  MemoryContextDelete(scratch);
}

/// Numbers the rows by the values of some columns, from 0. O(rows) for each column.
int32* numbers_of(const ValueRanks* ranks, int count, int64 rows) {
  int32* number = allocate<int32>(rows);
  std::memset(number, 0, sizeof(int32) * static_cast<std::size_t>(rows));
  if (count == 0 || rows == 0) return number;
  BackendTicker ticker;
  std::vector<CodedColumn> columns;
  for (int j = 0; j < count; ++j) columns.push_back({ranks[j].codes, ranks[j].distinct});
  std::vector<std::int32_t*> class_of(columns.size(), nullptr);
  class_of.back() = number;
  number_classes(columns, rows, class_of, ticker);
  return number;
}

void settle(ValueRanks* ranks, int count, int64 rows) {
  for (int j = 0; j < count; ++j) settle_ranks(ranks[j], rows);
}

void read_table(Reading& reading, int table) {
  const SetTable& described = reading.rows->set.tables[table];
  SetTableRows& rows = reading.rows->tables[table];
  Relation relation = open_relation(described.relation);
  reading.table = table;
  rows.qi = ranks_of(relation, described, described.qi, reading.memory);
  rows.sensitive = ranks_of(relation, described, described.sensitive, reading.memory);
  grow(reading, kFirstCapacity);
  const char* query = reading.spools == nullptr ? columns_query(reading, relation) : nullptr;
  relation_close(relation, NoLock);
  if (query != nullptr)
    for_each_row(query, add_row, &reading);
  else
    add_spooled_rows(reading, reading.spools[table]);
  settle(rows.qi, described.qi.count, rows.rows);
  settle(rows.sensitive, described.sensitive.count, rows.rows);
  rows.protected_codes = allocate<int32*>(described.sensitive.count);
  for (int a = 0; a < described.sensitive.count; ++a)
    rows.protected_codes[a] =
        protected_codes(described, a, rows.sensitive[a], rows.rows, reading.memory);
  rows.label = numbers_of(rows.qi, described.qi.count, rows.rows);
}

/// Numbers the persons of the root's rows.
void find_persons(SetRows& rows, const PersonColumns& columns) {
  SetTableRows& root = rows.tables[0];
  const SetTable& table = rows.set.tables[0];
  if (root.rows == 0)
    ereport(ERROR,
            (errcode(ERRCODE_DATA_EXCEPTION), errmsg("table \"%s\" has no rows", table.name)));
  settle(columns.ranks, columns.count, root.rows);
  for (int i = 0; i < columns.count; ++i)
    if (columns.ranks[i].has_null)
      ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
                      errmsg("rows of table \"%s\" have no person", table.name),
                      errhint("Leave these rows out in a view.")));
  root.person = numbers_of(columns.ranks, columns.count, root.rows);
  for (int64 row = 0; row < root.rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    if (columns.count == 0) root.person[row] = static_cast<int32>(row);
    if (root.person[row] >= rows.persons) rows.persons = root.person[row] + 1;
  }
  rows.root_has_persons = rows.persons == root.rows;
  // A table of persons in the order of its rows is the judge's root as it is.
  for (int64 row = 0; rows.root_has_persons && row < root.rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    root.person[row] = static_cast<int32>(row);
  }
}

/// By row of the table that refers, the row or the person that it refers to: -1 if one of its
/// columns is null, -2 if there is none.
int32* resolve(const SetRows& rows, const Link& link, bool to_persons) {
  const SetTableRows& own = rows.tables[link.own];
  const SetTableRows& other = rows.tables[link.other];
  const int64 all = own.rows + other.rows;
  settle(link.ranks, link.pair->count, all);
  const int32* number = numbers_of(link.ranks, link.pair->count, all);
  const auto is_null = [&](int64 i) {
    bool null = false;
    for (int j = 0; j < link.pair->count; ++j)
      null = null || link.ranks[j].codes[i] == values_of(link.ranks[j]);
    return null;
  };
  int32* target = allocate<int32>(all);
  std::fill(target, target + all, -2);
  for (int64 row = 0; row < other.rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    if (is_null(row)) continue;
    int32& known = target[number[row]];
    const int32 found = to_persons ? other.person[row] : static_cast<int32>(row);
    if (known >= 0 && known != found)
      ereport(ERROR,
              (errcode(ERRCODE_DATA_EXCEPTION),
               errmsg("the key of table \"%s\" is not unique", rows.set.tables[link.other].name),
               errdetail("Table \"%s\" refers to it.", rows.set.tables[link.own].name)));
    known = found;
  }
  int32* result = allocate<int32>(own.rows);
  for (int64 row = 0; row < own.rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    result[row] = is_null(other.rows + row) ? -1 : target[number[other.rows + row]];
  }
  return result;
}

[[noreturn]] void refuse_rows(const SetTable& table, const char* problem, int64 count,
                              const char* hint) {
  ereport(ERROR,
          (errcode(ERRCODE_DATA_EXCEPTION), errmsg("rows of table \"%s\" %s", table.name, problem),
           errdetail("Number of rows: " INT64_FORMAT ".", count), errhint("%s", hint)));
  pg_unreachable();
}

/// Attaches each row of a table to its parent and to its person. `direct` has the persons that rows
/// refer to by themselves, or is null.
void attach(SetRows& rows, int table, int32* parent_row, const int32* direct) {
  SetTableRows& own = rows.tables[table];
  const SetTable& described = rows.set.tables[table];
  const SetTableRows& above = rows.tables[described.parent];
  own.parent_row = parent_row;
  own.person = allocate<int32>(own.rows);
  int64 orphans = 0;
  int64 shared = 0;
  for (int64 row = 0; row < own.rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    const int32 by_itself = direct != nullptr ? direct[row] : -1;
    const int32 by_parent = parent_row[row] >= 0 ? above.person[parent_row[row]] : parent_row[row];
    own.person[row] = by_parent >= 0 ? by_parent : by_itself;
    if (by_parent == -2 || by_itself == -2 || own.person[row] < 0) ++orphans;
    if (by_parent >= 0 && by_itself >= 0 && by_parent != by_itself) ++shared;
  }
  if (orphans > 0)
    refuse_rows(described, "have no parent", orphans,
                "Leave these rows out in a view. Rows without a parent that belong to a person "
                "refer to the root by a \"person_key\".");
  if (shared > 0)
    refuse_rows(described, "belong to another person than their parents", shared,
                "Each row must have one person.");
}

SetRows read_rows(const SetTables& set, const SpooledTable* spools, MemoryCount* memory) {
  SetRows rows = {set, allocate<SetTableRows>(set.count), 0, true};
  std::memset(rows.tables, 0, sizeof(SetTableRows) * static_cast<std::size_t>(set.count));
  const SetTable& root = set.tables[0];
  Reading reading = {&rows, 0, nullptr, 0, {nullptr, root.person_column_count}, 0, memory, spools};
  reading.links = make_links(set, &reading.link_count, reading.memory);
  Relation relation = open_relation(root.relation);
  reading.persons.ranks = allocate<ValueRanks>(reading.persons.count);
  for (int i = 0; i < reading.persons.count; ++i)
    reading.persons.ranks[i] =
        make_value_ranks(TupleDescAttr(RelationGetDescr(relation), root.person_columns[i] - 1),
                         kFirstCapacity, reading.memory);
  relation_close(relation, NoLock);
  for (int t = 0; t < set.count; ++t) read_table(reading, t);
  find_persons(rows, reading.persons);
  for (int l = 0; l < reading.link_count;) {
    const Link& up = reading.links[l++];
    int32* parent_row = resolve(rows, up, false);
    const bool has_person = l < reading.link_count && reading.links[l].own == up.own;
    attach(rows, up.own, parent_row,
           has_person ? resolve(rows, reading.links[l++], true) : nullptr);
  }
  return rows;
}

}  // namespace

SetRows read_set_rows(const SetTables& set, MemoryCount* memory) {
  return read_rows(set, nullptr, memory);
}

SetRows read_spooled_keys(const SetTables& set, const SpooledTable* spools, MemoryCount* memory) {
  return read_rows(set, spools, memory);
}

std::vector<JudgedTable> judged_tables(const SetRows& rows) {
  std::vector<JudgedTable> tables;
  const int shift = rows.root_has_persons ? 0 : 1;
  if (shift > 0) {
    tables.emplace_back();
    tables.back().rows = rows.persons;
  }
  for (int t = 0; t < rows.set.count; ++t) {
    const SetTableRows& from = rows.tables[t];
    const SetTable& described = rows.set.tables[t];
    JudgedTable table;
    table.rows = static_cast<std::int32_t>(from.rows);
    table.parent = described.parent + shift;
    table.label = from.label;
    if (!tables.empty()) {
      table.parent_row = t == 0 ? from.person : from.parent_row;
      table.person_row = from.person;
    }
    for (int j = 0; j < described.sensitive.count; ++j) {
      const ValueRanks& values = from.sensitive[j];
      const int32* only = from.protected_codes[j];
      table.values.push_back(
          {only != nullptr ? only : values.codes, values.distinct, only != nullptr});
    }
    tables.push_back(table);
  }
  return tables;
}

}  // namespace anonkit::pg
