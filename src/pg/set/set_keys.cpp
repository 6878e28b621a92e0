#include "pg/set/set_keys.hpp"

#include <algorithm>
#include <cstring>

#include "pg/backend/session.hpp"

namespace anonkit::pg {
namespace {

void require_one_column(const SetTable& table, const KeyPair& pair) {
  if (pair.count > 1)
    refuse_table(table.name, "refers to another table by several columns",
                 "Pseudonyms have one column. Make one key of them in a view.");
}

void add_key(KeyColumns& keys, const SetTable& table, AttrNumber number, KeyOf of) {
  if (KeyColumn* known = keys.find(number); known != nullptr) {
    // A root's key that identifies persons is unique, as references to it are checked to be.
    if (table.parent < 0) known->of = of;
    if (known->of != of)
      refuse_table(
          table.name,
          psprintf("has a key, column \"%s\", that also refers to another table", known->name),
          "Rows need a key of their own. Add one in a view.");
    return;
  }
  keys.list[keys.count++] = {number, get_attname(table.relation, number, false), of, false};
}

/// Where columns of the root identify persons, a table refers to persons by these columns alone:
/// another unique column has no pseudonym.
void require_person_column(const SetTable& root, const SetTable& child) {
  if (child.person.count > 0 && root.person_column_count > 0 &&
      child.person.other[0] != root.person_columns[0])
    refuse_table(
        child.name, "refers to another column of the root than its \"person\"",
        "Name a column that has the \"person\" as \"person_key\", or describe a view without "
        "the reference.");
}

/// The only column of the primary key; 0 without one.
AttrNumber primary_column(Oid oid) {
  Relation relation = open_relation(oid);
  int count = 0;
  const AttrNumber* columns = primary_key(relation, &count);
  relation_close(relation, NoLock);
  return count == 1 ? columns[0] : 0;
}

/// The primary key of the release is that of the source, else the first key of rows.
void choose_primary(KeyColumns& keys, AttrNumber primary) {
  KeyColumn* chosen = nullptr;
  for (int i = 0; i < keys.count; ++i) {
    KeyColumn& key = keys.list[i];
    if (key.number == primary || (chosen == nullptr && key.of == KeyOf::row)) chosen = &key;
  }
  if (chosen != nullptr) chosen->primary = true;
}

KeyColumns columns_of(const SetTables& set, int t) {
  const SetTable& table = set.tables[t];
  KeyColumns keys = {allocate<KeyColumn>(2 * set.count + 4), 0};
  for (int i = 0; i < table.person_column_count; ++i) {
    if (i > 0)
      refuse_table(table.name, "identifies a person by several columns",
                   "Pseudonyms have one column. Make one key of them in a view.");
    add_key(keys, table, table.person_columns[i], KeyOf::person);
  }
  if (table.parent >= 0) {
    require_one_column(table, table.up);
    add_key(keys, table, table.up.own[0], KeyOf::parent);
  }
  if (table.person.count > 0) {
    require_one_column(table, table.person);
    add_key(keys, table, table.person.own[0], KeyOf::person);
  }
  for (int c = 0; c < set.count; ++c) {
    const SetTable& child = set.tables[c];
    if (child.parent == t) add_key(keys, table, child.up.other[0], KeyOf::row);
    if (t == 0) require_person_column(table, child);
    const bool to_persons = t == 0 && child.person.count > 0;
    if (to_persons && table.person_column_count == 0)
      add_key(keys, table, child.person.other[0], KeyOf::row);
  }
  const AttrNumber primary = primary_column(table.relation);
  if (primary > 0 && keys.find(primary) == nullptr) add_key(keys, table, primary, KeyOf::row);
  choose_primary(keys, primary);
  return keys;
}

/// A random order of the numbers from 1 to count.
int64* random_permutation(int64 count) {
  auto* numbers = allocate<int64>(count);
  auto* random = allocate<uint64>(count);
  if (!pg_strong_random(random, sizeof(uint64) * static_cast<std::size_t>(count)))
    ereport(ERROR,
            (errcode(ERRCODE_INTERNAL_ERROR), errmsg("could not generate random pseudonyms")));
  // Fisher and Yates; the bias of a remainder of 64 bits is below count / 2^64.
  for (int64 i = 0; i < count; ++i) {
    const auto j = static_cast<int64>(random[i] % static_cast<uint64>(i + 1));
    numbers[i] = numbers[j];
    numbers[j] = i + 1;
    CHECK_FOR_INTERRUPTS();
  }
  pfree(random);
  return numbers;
}

/// By person above the root its pseudonym; 0 without a published row. Numbers of persons who are
/// withheld entirely would leave gaps, which tell how many they are. Slots as they are cut today
/// publish a row of each person, but pseudonyms do not rely on it.
int64* pseudonyms_of_persons(const SetRows& rows, const bool* const* withheld, int64 used) {
  bool* shown = allocate<bool>(rows.persons);
  std::memset(shown, 0, sizeof(bool) * static_cast<std::size_t>(rows.persons));
  for (int t = 0; t < rows.set.count; ++t)
    for (int64 row = 0; row < rows.tables[t].rows; ++row) {
      CHECK_FOR_INTERRUPTS();
      if (!withheld[t][row]) shown[rows.tables[t].person[row]] = true;
    }
  const int64* numbers = random_permutation(std::count(shown, shown + rows.persons, true));
  auto* pseudonyms = allocate<int64>(rows.persons);
  int64 next = 0;
  for (int32 person = 0; person < rows.persons; ++person)
    pseudonyms[person] = shown[person] ? used + numbers[next++] : 0;
  return pseudonyms;
}

}  // namespace

KeyColumn* KeyColumns::find(AttrNumber number) const {
  for (int i = 0; i < count; ++i)
    if (list[i].number == number) return &list[i];
  return nullptr;
}

KeyColumns* key_columns_of(const SetTables& set) {
  auto* keys = allocate<KeyColumns>(set.count);
  for (int t = 0; t < set.count; ++t) keys[t] = columns_of(set, t);
  return keys;
}

Pseudonyms draw_pseudonyms(const SetRows& rows, const bool* const* withheld, int64 used) {
  const int tables = rows.set.count;
  Pseudonyms drawn = {allocate<int64*>(tables), nullptr};
  for (int t = 0; t < tables; ++t) {
    const int64 count = rows.tables[t].rows;
    const int64* numbers = random_permutation(std::count(withheld[t], withheld[t] + count, false));
    drawn.rows[t] = allocate<int64>(count);
    int64 next = 0;
    for (int64 row = 0; row < count; ++row)
      drawn.rows[t][row] = withheld[t][row] ? 0 : used + numbers[next++];
  }
  // A table of persons is in the order of their numbers.
  drawn.persons =
      rows.root_has_persons ? drawn.rows[0] : pseudonyms_of_persons(rows, withheld, used);
  return drawn;
}

int64 key_value(const SetRows& rows, const Pseudonyms& pseudonyms, int table, int64 row, KeyOf of) {
  const SetTableRows& from = rows.tables[table];
  if (of == KeyOf::row) return pseudonyms.rows[table][row];
  if (of == KeyOf::person) return pseudonyms.persons[from.person[row]];
  const int32 parent = from.parent_row[row];
  return parent < 0 ? 0 : pseudonyms.rows[rows.set.tables[table].parent][parent];
}

}  // namespace anonkit::pg
