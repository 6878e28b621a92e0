#include "pg/set/set_known_rows.hpp"

#include <cstring>

#include "pg/backend/memory_count.hpp"
#include "pg/backend/session.hpp"

namespace anonkit::pg {
namespace {

/// The list of a source; empty at the first publication.
HashList list_of(const SetWork& work, int t) {
  const KnownPersons& known = *work.known;
  for (int i = 0; i < known.tables; ++i)
    if (known.rows[i].source == work.tables.tables[t].relation) return known.rows[i].list;
  return no_hashes(known.list.secret);
}

bool can_be_followed(Oid relation, AttrNumber number) {
  Oid type, collation;
  int32 typmod;
  get_atttypetypmodcoll(relation, number, &type, &typmod, &collation);
  // Labels can be renamed, and the list has no room for their first spellings.
  return !type_is_enum(getBaseType(type)) && can_be_key(type, collation);
}

/// The column that identifies the rows of a table; null if they are not followed.
const KeyColumn* key_of_rows(const SetWork& work, int t) {
  const SetTable& table = work.tables.tables[t];
  if (t == 0 && table.person_column_count == 0) return nullptr;  // each row is a person
  const KeyColumns& keys = work.keys[t];
  for (int i = 0; i < keys.count; ++i)
    if (keys.list[i].of == KeyOf::row && can_be_followed(table.relation, keys.list[i].number))
      return &keys.list[i];
  return nullptr;
}

struct Following {
  SetWork* work;
  int table;
  HashList known;
  int64 found;  ///< rows of the list, whoever has them
};

void follow_row(int64 row, const uint8* hash, void* state) {
  auto& following = *static_cast<Following*>(state);
  SetWork& work = *following.work;
  RowHash& noted = work.row_hashes[following.table][row];
  noted.is_null = hash == nullptr;
  if (noted.is_null) return;
  std::memcpy(noted.bytes, hash, kRowBytes);
  if (!has_hash(following.known, kRowHashes, hash)) return;
  ++following.found;
  if (!work.takes_part(work.rows.tables[following.table].person[row])) return;
  work.left_out[following.table][row] = true;
  work.has_left_out = true;
}

void follow_rows(SetWork& work, int t) {
  const KeyColumn* key = key_of_rows(work, t);
  if (key == nullptr) return;
  const int64 rows = work.rows.tables[t].rows;
  Following following = {&work, t, list_of(work, t), 0};
  // The hashes of all rows, the list, and the next one.
  count_memory(*work.memory, int64{sizeof(RowHash)} * 2 * rows + kRowBytes * following.known.count);
  work.row_hashes[t] = allocate<RowHash>(rows);
  work.left_out[t] = allocate<bool>(rows);
  std::memset(work.left_out[t], 0, static_cast<std::size_t>(rows));
  char* name = const_cast<char*>(key->name);
  Spec spec = {};
  spec.over_time.key = {&name, 1};
  for_each_hash(work.known->list.secret, resolve_key(work.tables.tables[t].relation, spec),
                work.runs[t], follow_row, &following);
  require_key_type(work.tables.tables[t], key->name, following.known,
                   following.known.count == 0 || following.found > 0,
                   "No row of the set is found under the new type. A refresh would not recognise "
                   "rows that another person has now.");
}

/// Persons without another row in the root wait: all persons like them would lose their rows.
void let_wait(SetWork& work) {
  if (work.left_out[0] == nullptr) return;
  const SetTableRows& root = work.rows.tables[0];
  auto* has_row = allocate<bool>(work.rows.persons);
  std::memset(has_row, 0, static_cast<std::size_t>(work.rows.persons));
  for (int64 row = 0; row < root.rows; ++row)
    if (!work.left_out[0][row]) has_row[root.person[row]] = true;
  for (int32 person = 0; person < work.rows.persons; ++person) {
    CHECK_FOR_INTERRUPTS();
    if (has_row[person] || !work.takes_part(person)) continue;
    work.absent[person] = true;
    --work.present;
  }
  pfree(has_row);
}

/// The hashes of the rows of persons who took part. Returns their number.
int64 hashes_of_new_rows(const SetWork& work, int t, uint8* added) {
  int64 count = 0;
  for (int64 row = 0; row < work.rows.tables[t].rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    const RowHash& hash = work.row_hashes[t][row];
    if (hash.is_null || work.left_out[t][row] || !work.takes_part(work.rows.tables[t].person[row]))
      continue;
    std::memcpy(added + kRowBytes * count++, hash.bytes, kRowBytes);
  }
  return count;
}

}  // namespace

const KnownRows* read_known_rows(const SetQuery& set) {
  auto* rows = allocate<KnownRows>(set.sources.count);
  for (int i = 0; i < set.sources.count; ++i)
    rows[i] = {set.sources.tables[i], read_hashes(set, kRowHashes, i)};
  return rows;
}

void find_known_rows(SetWork& work) {
  work.row_hashes = allocate<RowHash*>(work.tables.count);
  work.left_out = allocate<bool*>(work.tables.count);
  for (int t = 0; t < work.tables.count; ++t) {
    work.row_hashes[t] = nullptr;
    work.left_out[t] = nullptr;
    follow_rows(work, t);
  }
  let_wait(work);
}

void note_rows(const SetQuery& set, const SetWork& work) {
  for (int t = 0; t < work.tables.count; ++t) {
    const SetTable& table = work.tables.tables[t];
    const KeyColumn* key = work.row_hashes[t] == nullptr ? nullptr : key_of_rows(work, t);
    uint8* added = key == nullptr ? nullptr : allocate<uint8>(kRowBytes * work.rows.tables[t].rows);
    const int64 count = key == nullptr ? 0 : hashes_of_new_rows(work, t, added);
    write_hashes(set, kRowHashes, place_of(set.sources, table.relation), list_of(work, t), added,
                 count, key == nullptr ? nullptr : type_of_key(table.relation, key->name));
  }
}

}  // namespace anonkit::pg
