#include "pg/set/set_persons.hpp"

#include <cstring>

#include "pg/backend/origin.hpp"
#include "pg/backend/session.hpp"
#include "pg/set/set_known_rows.hpp"

namespace anonkit::pg {
namespace {

[[noreturn]] void refuse_null_key(const SetTable& root, const Key& key) {
  ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
                  errmsg("rows of table \"%s\" have a null in the key \"%s\"", root.name,
                         key.columns[0].name),
                  errhint("Leave these rows out in a view.")));
  pg_unreachable();
}

/// The hashes of those who took part.
PersonHash* hashes_of_new(const SetWork& work) {
  auto* persons = allocate<PersonHash>(work.present);
  PersonHash* next = persons;
  for (int32 person = 0; person < work.rows.persons; ++person)
    if (!work.absent[person]) *next++ = work.hashes[person];
  return persons;
}

/// Warns of a list that another database made: both copies may add the same persons.
void warn_of_copy(const SetQuery& set, const HashList& list) {
  if (list.origin == nullptr || std::strcmp(list.origin, present_database()) == 0) return;
  ereport(
      NOTICE,
      (errmsg("set \"%s\" was restored or cloned", get_namespace_name(set.schema)),
       errdetail("Another database made the last version."),
       errhint("Persons who are added to two copies are in different classes, which can be "
               "intersected. Refresh one copy only, and publish a new set for other readers.")));
}

struct HashedPersons {
  PersonHash* hashes;
  const SetRows* rows;
  const Key* key;
};

void take_hash(int64 row, const uint8* hash, void* state) {
  const auto& persons = *static_cast<const HashedPersons*>(state);
  if (hash == nullptr) refuse_null_key(persons.rows->set.tables[0], *persons.key);
  std::memcpy(persons.hashes[persons.rows->tables[0].person[row]].bytes, hash, kPersonBytes);
}

}  // namespace

KnownPersons no_known_persons(const Names& key) {
  return {key, no_hashes(draw_secret()), nullptr, 0};
}

KnownPersons read_known_persons(const SetQuery& set) {
  const HashList persons = read_hashes(set, kPersonHashes, 0);
  warn_of_copy(set, persons);
  return {key_of_set(set), persons, read_known_rows(set), set.sources.count};
}

Key key_of_persons(const SetTable& root, const KeyColumns& keys, const Names& names) {
  if (names.count > 1)
    refuse_table(root.name, "has a key of several columns",
                 "Pseudonyms of persons have one column. Make one key of them in a view.");
  const AttrNumber number = get_attnum(root.relation, names.names[0]);
  if (keys.find(number) == nullptr ||
      (root.person_column_count > 0 && number != root.person_columns[0]))
    refuse_table(root.name, psprintf("has no key \"%s\" that identifies persons", names.names[0]),
                 "The key of a set that grows is the root's \"person\", or without one its primary "
                 "key or a column that others refer to.");
  Spec spec = {};
  spec.over_time.key = names;
  const Key key = resolve_key(root.relation, spec);
  // Labels can be renamed, and the list has no room for their first spellings.
  if (type_is_enum(key.columns[0].base_type))
    refuse_table(root.name, psprintf("has a key \"%s\" of an enum", names.names[0]),
                 "A set that grows needs a key of another type. Cast it in a view.");
  return key;
}

PersonHash* hashes_of_persons(const KnownPersons& known, const Key& key, const Run& root,
                              const SetRows& rows) {
  auto* hashes = allocate<PersonHash>(rows.persons);
  HashedPersons persons = {hashes, &rows, &key};
  for_each_hash(known.list.secret, key, root, take_hash, &persons);
  return hashes;
}

bool is_known(const KnownPersons& known, const PersonHash& person) {
  return has_hash(known.list, kPersonHashes, person.bytes);
}

void require_same_key(const SetTable& root, const KnownPersons& known, const Key& key,
                      int64 found) {
  require_key_type(root, key.columns[0].name, known.list, found == known.list.count,
                   "Persons of the set are missing under the new type. A refresh would publish "
                   "them again, under a second pseudonym.");
}

void note_persons(const SetQuery& set, const SetWork& work) {
  const KnownPersons& known = *work.known;
  write_hashes(set, kPersonHashes, 0, known.list, hashes_of_new(work)->bytes, work.present,
               type_of_key(work.tables.tables[0].relation, known.key.names[0]));
  note_rows(set, work);
}

}  // namespace anonkit::pg
