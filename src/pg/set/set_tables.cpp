#include "pg/set/set_tables.hpp"

#include <algorithm>
#include <cstring>

#include "pg/backend/session.hpp"
#include "pg/read/source.hpp"
#include "pg/release/set_query.hpp"
#include "pg/set/set_protected.hpp"

namespace anonkit::pg {
namespace {

/// A table with the names by which its description refers to others.
struct Described {
  SetTable table;
  char* parent;  ///< or null
  Names parent_key;
  Names key;
  Names person;
  Names person_key;
};

struct DescribedTables {
  Described* list;
  int count;
};

/// Where tables are looked up, and what for.
struct Purpose {
  Oid schema;  ///< InvalidOid: names may have a schema
  bool publishing;
};

Names* names_for(Described& described, bool publishing, const char* key) {
  struct Member {
    const char* key;
    Names* names;
    bool published = false;  ///< an option of tables that are published
  };
  const Member members[] = {{"qi", &described.table.qi},
                            {"sensitive", &described.table.sensitive},
                            {"parent_key", &described.parent_key},
                            {"key", &described.key},
                            {"person", &described.person},
                            {"person_key", &described.person_key},
                            {"keep", &described.table.keep, true},
                            {"since_first", &described.table.since_first, true},
                            {"means", &described.table.means, true}};
  for (const Member& member : members)
    if (std::strcmp(member.key, key) == 0)
      return publishing || !member.published ? member.names : nullptr;
  return nullptr;
}

/// Adds the dates to the quasi-identifiers, unless they are named there.
void add_dates(SetTable& table) {
  if (table.since_first.count == 0) return;
  Relation relation = open_relation(table.relation);
  TupleDesc descriptor = RelationGetDescr(relation);
  Names all = {allocate<char*>(int64{table.qi.count} + table.since_first.count), table.qi.count};
  std::copy_n(table.qi.names, table.qi.count, all.names);
  for (int i = 0; i < table.since_first.count; ++i) {
    char* name = table.since_first.names[i];
    if (!is_named(descriptor, find_column(descriptor, name, table.name), table.qi))
      all.names[all.count++] = name;
  }
  relation_close(relation, NoLock);
  table.qi = all;
}

Oid find_table(const Purpose& purpose, const char* name) {
  if (purpose.publishing) return relation_named(name, AccessShareLock);
  const Oid relation = get_relname_relid(name, purpose.schema);
  if (!OidIsValid(relation))
    ereport(ERROR,
            (errcode(ERRCODE_UNDEFINED_TABLE), errmsg("schema \"%s\" has no table \"%s\"",
                                                      get_namespace_name(purpose.schema), name)));
  return relation;
}

/// An option whose values are read with a table's spec, or its protected values.
bool is_option_of_spec(const char* key, bool publishing) {
  return std::strcmp(key, "hierarchies") == 0 || std::strcmp(key, "protected") == 0 ||
         (publishing && std::strcmp(key, "coarsen") == 0);
}

/// An error for options of single tables, which audits of other tools' output have.
void refuse_suppressed(const char* table, const char* key) {
  if (std::strcmp(key, "suppressed") == 0)
    refuse_table(table, "has the option \"suppressed\", which related tables do not take",
                 "A row without quasi-identifiers still counts among its person's rows. Leave such "
                 "rows, and all that hangs on them, out in views.");
  if (std::strcmp(key, "wildcards") == 0)
    refuse_table(table, "has the option \"wildcards\", which related tables do not take",
                 "Persons share facts by equal cells. anon_audit measures a single table.");
}

Described read_description(const Purpose& purpose, char* name, JsonbValue& value) {
  Described described = {};
  described.table.name = name;
  described.table.relation = find_table(purpose, name);
  if (!is_object(value))
    refuse_table(name, "needs an object of options", "Write {\"qi\": [...]}, or {} for none.");
  described.table.options = JsonbValueToJsonb(&value);
  JsonbIterator* it = JsonbIteratorInit(value.val.binary.data);
  char* key;
  JsonbValue member;
  while (next_member(&it, &key, &member)) {
    Names* names = names_for(described, purpose.publishing, key);
    if (names != nullptr)
      *names = names_of(key, member);
    else if (purpose.publishing && std::strcmp(key, "max_rows") == 0)
      described.table.max_rows = positive_integer(key, member);
    else if (std::strcmp(key, "parent") == 0 && member.type == jbvString)
      described.parent = text_of(member);
    else if (std::strcmp(key, "parent") == 0)
      wrong_type(key, "the name of a table");
    else if (!is_option_of_spec(key, purpose.publishing)) {
      refuse_suppressed(name, key);
      refuse_table(
          name, psprintf("has an unknown option \"%s\"", key),
          psprintf("The options are qi, sensitive, %sparent, parent_key, key, person, "
                   "person_key, hierarchies, protected.",
                   purpose.publishing ? "keep, coarsen, max_rows, since_first, means, " : ""));
    }
  }
  add_dates(described.table);
  described.table.protected_spec = protected_spec(described.table.options);
  return described;
}

DescribedTables read_descriptions(const Purpose& purpose, Jsonb* json) {
  if (!JB_ROOT_IS_OBJECT(json)) wrong_type("tables", "an object with a member for each table");
  if (purpose.publishing && JB_ROOT_COUNT(json) > kMostTables)
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
                    errmsg("a set has at most %d tables", kMostTables)));
  DescribedTables described = {allocate<Described>(JB_ROOT_COUNT(json)), 0};
  JsonbIterator* it = JsonbIteratorInit(&json->root);
  char* name;
  JsonbValue value;
  while (next_member(&it, &name, &value))
    described.list[described.count++] = read_description(purpose, name, value);
  if (described.count == 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("there are no tables to %s", purpose.publishing ? "publish" : "audit")));
  return described;
}

int place_of(const DescribedTables& all, Oid relation) {
  for (int place = 0; place < all.count; ++place)
    if (all.list[place].table.relation == relation) return place;
  return -1;
}

AttrNumber* columns_named(Relation relation, const Names& names) {
  AttrNumber* columns = allocate<AttrNumber>(names.count);
  for (int i = 0; i < names.count; ++i)
    columns[i] =
        find_column(RelationGetDescr(relation), names.names[i], RelationGetRelationName(relation));
  return columns;
}

KeyPair key_pair(const ForeignKeyCacheInfo& foreign) {
  KeyPair pair = {allocate<AttrNumber>(foreign.nkeys), allocate<AttrNumber>(foreign.nkeys),
                  foreign.nkeys};
  for (int i = 0; i < foreign.nkeys; ++i) {
    pair.own[i] = foreign.conkey[i];
    pair.other[i] = foreign.confkey[i];
  }
  return pair;
}

/// True if the reference is one by these columns, in any order; any reference is one by none.
bool is_by(const KeyPair& pair, const AttrNumber* own, int count) {
  return count == 0 ||
         (pair.count == count && std::is_permutation(pair.own, pair.own + count, own));
}

/// The foreign keys of a table to another one by these columns, or by any if there are none.
/// Returns their number, and one of them.
int foreign_keys(Relation from, Oid to, const AttrNumber* own, int count, KeyPair* pair) {
  int found = 0;
  ListCell* cell;
  foreach (cell, RelationGetFKeyList(from)) {
    const auto& foreign = *static_cast<const ForeignKeyCacheInfo*>(lfirst(cell));
    if (foreign.confrelid != to || !is_by(key_pair(foreign), own, count)) continue;
    *pair = key_pair(foreign);
    ++found;
  }
  return found;
}

/// The reference of a table by some of its columns to another one: a foreign key, else to the key
/// that the other one's description names, else to its primary key, else to columns of these names.
KeyPair reference(const Described& from, const Names& by, const Described& to) {
  Relation own = open_relation(from.table.relation);
  Relation other = open_relation(to.table.relation);
  AttrNumber* columns = columns_named(own, by);
  KeyPair pair = {};
  const int found = foreign_keys(own, to.table.relation, columns, by.count, &pair);
  if (by.count == 0 && found != 1)
    refuse_table(from.table.name,
                 psprintf("has %s foreign keys to table \"%s\"", found == 0 ? "no" : "several",
                          to.table.name),
                 "Name its columns that refer to the parent as \"parent_key\".");
  if (found == 0) {
    pair = {columns, nullptr, by.count};
    int count = to.key.count;
    pair.other = count > 0 ? columns_named(other, to.key) : primary_key(other, &count);
    if (pair.other == nullptr) {
      pair.other = columns_named(other, by);
      count = by.count;
    }
    if (count != by.count)
      refuse_table(to.table.name, psprintf("has a key of %d columns, not of %d", count, by.count),
                   "Name the columns that others refer to as its \"key\".");
  }
  relation_close(other, NoLock);
  relation_close(own, NoLock);
  return pair;
}

/// The other tables that a table refers to by foreign keys, each once. Returns their number.
int references_of(const DescribedTables& all, int table, int* places) {
  Relation relation = open_relation(all.list[table].table.relation);
  int count = 0;
  ListCell* cell;
  foreach (cell, RelationGetFKeyList(relation)) {
    const int to = place_of(all, static_cast<const ForeignKeyCacheInfo*>(lfirst(cell))->confrelid);
    if (to >= 0 && to != table && std::find(places, places + count, to) == places + count)
      places[count++] = to;
  }
  relation_close(relation, NoLock);
  return count;
}

/// The parent of a table by its foreign keys. Of two, it is the one that is not the root: a
/// diagnosis of a patient at an admission belongs to the admission.
int parent_by_foreign_key(const DescribedTables& all, int table, int root) {
  int* places = allocate<int>(all.count);
  const int count = references_of(all, table, places);
  const int others = static_cast<int>(std::remove(places, places + count, root) - places);
  if (others > 1)
    refuse_table(all.list[table].table.name, "has foreign keys to several of the tables",
                 "Name one of them as its \"parent\".");
  return others == 1 ? places[0] : root;
}

/// The table without a parent: the only one that names none and has no foreign key to another.
int find_root(const DescribedTables& all) {
  int root = -1;
  int* places = allocate<int>(all.count);
  for (int i = 0; i < all.count; ++i) {
    if (all.list[i].parent != nullptr || references_of(all, i, places) > 0) continue;
    if (root >= 0)
      refuse_table(all.list[i].table.name,
                   psprintf("has no parent, like table \"%s\"", all.list[root].table.name),
                   "One table is the root, with the persons. Name the \"parent\" and the "
                   "\"parent_key\" of the others.");
    root = i;
  }
  if (root < 0)
    refuse_table(all.list[0].table.name, "belongs to a cycle of parents",
                 "One table is the root, with the persons, and has no parent.");
  return root;
}

int named_parent(const DescribedTables& all, const Described& described) {
  for (int i = 0; i < all.count; ++i)
    if (std::strcmp(all.list[i].table.name, described.parent) == 0) return i;
  refuse_table(described.table.name,
               psprintf("has the parent \"%s\", which is not described", described.parent),
               "Parents are tables of the same description.");
}

/// Finds the parents, by their places among the descriptions, and the columns that refer to them.
void link_to_parents(const DescribedTables& all, int root) {
  for (int i = 0; i < all.count; ++i) {
    Described& described = all.list[i];
    SetTable& table = described.table;
    if (described.parent == nullptr && described.parent_key.count > 0)
      refuse_table(table.name, "has a \"parent_key\" without a \"parent\"",
                   "Name the parent, too.");
    table.parent = i == root                     ? -1
                   : described.parent != nullptr ? named_parent(all, described)
                                                 : parent_by_foreign_key(all, i, root);
    if (i == root && described.person_key.count > 0)
      refuse_table(table.name, "is the root, and has a \"person_key\"",
                   "The columns of the root that identify a person are its \"person\".");
    if (i != root && described.person.count > 0)
      refuse_table(table.name, "has a parent, and names the columns of a person",
                   "The columns of a table that refer to the root are its \"person_key\".");
    if (table.parent >= 0)
      table.up = reference(described, described.parent_key, all.list[table.parent]);
  }
}

/// Finds the columns by which rows without a parent refer to the person.
void link_to_persons(const DescribedTables& all, int root) {
  Described to = all.list[root];
  if (to.person.count > 0) to.key = to.person;
  Relation relation = open_relation(to.table.relation);
  all.list[root].table.person_columns = columns_named(relation, to.person);
  all.list[root].table.person_column_count = to.person.count;
  relation_close(relation, NoLock);
  for (int i = 0; i < all.count; ++i) {
    Described& described = all.list[i];
    if (described.table.parent < 0) continue;
    // A reference to a row of the root is one to the person, unless persons have several there.
    const bool to_rows = to.person.count > 0 && described.person_key.count > 0;
    if (described.table.parent == root && !to_rows) continue;
    if (described.person_key.count > 0) {
      described.table.person = reference(described, described.person_key, to);
      continue;
    }
    Relation own = open_relation(described.table.relation);
    KeyPair pair = {};
    if (foreign_keys(own, to.table.relation, nullptr, 0, &pair) == 1) described.table.person = pair;
    relation_close(own, NoLock);
  }
}

/// The tables in an order in which each follows its parent.
SetTables sorted(const DescribedTables& all) {
  SetTables set = {allocate<SetTable>(all.count), 0};
  int* place = allocate<int>(all.count);
  for (int i = 0; i < all.count; ++i) place[i] = -1;
  bool found = true;
  while (found && set.count < all.count) {
    found = false;
    for (int i = 0; i < all.count; ++i) {
      const int parent = all.list[i].table.parent;
      if (place[i] >= 0 || (parent >= 0 && place[parent] < 0)) continue;
      place[i] = set.count;
      set.tables[set.count] = all.list[i].table;
      set.tables[set.count++].parent = parent >= 0 ? place[parent] : -1;
      found = true;
    }
  }
  for (int i = 0; i < all.count; ++i)
    if (place[i] < 0)
      refuse_table(all.list[i].table.name, "belongs to a cycle of parents",
                   "Name a \"parent\" that leads to the root.");
  return set;
}

SetTables linked(const DescribedTables& all) {
  const int root = find_root(all);
  link_to_parents(all, root);
  link_to_persons(all, root);
  return sorted(all);
}

}  // namespace

AttrNumber* primary_key(Relation relation, int* count) {
  list_free(RelationGetIndexList(relation));  // which finds the primary key
  if (!OidIsValid(relation->rd_pkindex)) return nullptr;
  Relation index = open_relation(relation->rd_pkindex);
  *count = index->rd_index->indnkeyatts;
  AttrNumber* columns = allocate<AttrNumber>(*count);
  for (int i = 0; i < *count; ++i) columns[i] = index->rd_index->indkey.values[i];
  relation_close(index, AccessShareLock);
  return columns;
}

SetTables read_set_tables(Oid schema, Jsonb* description) {
  return linked(read_descriptions({schema, false}, description));
}

SetTables read_published_tables(Jsonb* description) {
  return linked(read_descriptions({InvalidOid, true}, description));
}

void refuse_table(const char* table, const char* problem, const char* hint) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("table \"%s\" %s", table, problem), errhint("%s", hint)));
  pg_unreachable();
}

}  // namespace anonkit::pg
