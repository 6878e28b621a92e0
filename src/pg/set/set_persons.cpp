#include "pg/set/set_persons.hpp"

#include <algorithm>
#include <cstring>

#include "pg/backend/companion.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/mac.hpp"
#include "pg/backend/session.hpp"
#include "pg/over_time/canonical.hpp"
#include "pg/release/release_note.hpp"
#include "pg/schedule/content.hpp"

namespace anonkit::pg {
namespace {

constexpr char kPersons[] = "persons";
constexpr char kType[] = "type";

/// The list in the companion: a secret, the HMAC of all that follows, the time of the version that
/// wrote it, and the hashes, ascending.
constexpr int kMacAt = kSecretBytes;
constexpr int kBuiltAt = kMacAt + kMacBytes;
constexpr int kHashesAt = kBuiltAt + static_cast<int>(sizeof(TimestampTz));

bool is_before(const PersonHash& a, const PersonHash& b) {
  return std::memcmp(a.bytes, b.bytes, kPersonBytes) < 0;
}

void seal_of(const char* list, int64 bytes, uint8* seal) {
  mac_of(make_mac(reinterpret_cast<const uint8*>(list)), Sealed::persons, list + kBuiltAt,
         static_cast<std::size_t>(bytes - kBuiltAt), seal);
}

bool is_sealed(const char* list, int64 bytes) {
  if (bytes < kHashesAt || (bytes - kHashesAt) % kPersonBytes != 0) return false;
  uint8 seal[kMacBytes];
  seal_of(list, bytes, seal);
  return std::memcmp(list + kMacAt, seal, kMacBytes) == 0;
}

/// A refresh that continued from another list would publish persons twice, and readers would join
/// them.
[[noreturn]] void refuse_list(const SetQuery& set, Oid companion, const char* fault) {
  ereport(ERROR,
          (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
           errmsg("set \"%s\" has lost the list of its persons", get_namespace_name(set.schema)),
           errdetail("Table \"%s\" has %s.", get_rel_name(companion), fault),
           errhint("Restore the set and that table together, or use anon_drop_set and "
                   "anon_publish_set.")));
  pg_unreachable();
}

/// False if the note of the set has another time. A comment of the owner's own has replaced some
/// notes.
bool is_of_this_version(const SetQuery& set, const char* list) {
  TimestampTz built;
  std::memcpy(&built, list + kBuiltAt, sizeof built);
  const PublicNote note = read_public_note(set.description);
  return !note.found || note.built == built;
}

[[noreturn]] void refuse_null_key(const SetTable& root, const Key& key) {
  ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
                  errmsg("rows of table \"%s\" have a null in the key \"%s\"", root.name,
                         key.columns[0].name),
                  errhint("Leave these rows out in a view.")));
  pg_unreachable();
}

/// The type of a key, under a domain.
const char* type_of_key(Oid root, const char* key) {
  return format_type_be(getBaseType(get_atttype(root, get_attnum(root, key))));
}

/// The hashes of those who took part, ascending.
PersonHash* hashes_of_new(const SetWork& work) {
  auto* persons = allocate<PersonHash>(work.present);
  PersonHash* next = persons;
  for (int32 person = 0; person < work.rows.persons; ++person)
    if (!work.absent[person]) *next++ = work.hashes[person];
  std::sort(persons, next, is_before);
  return persons;
}

}  // namespace

KnownPersons no_known_persons(const Names& key) {
  return {key, draw_secret(), nullptr, 0, nullptr};
}

KnownPersons read_known_persons(const SetQuery& set) {
  const Oid companion = require_companion(set.description);
  const CompanionRow row = read_companion(companion, kPersons, 0);
  if (row.bytes == nullptr) refuse_list(set, companion, "none");
  const char* list = VARDATA_ANY(row.bytes);
  const int64 bytes = VARSIZE_ANY_EXHDR(row.bytes);
  if (!is_sealed(list, bytes)) refuse_list(set, companion, "one that no refresh wrote");
  if (!is_of_this_version(set, list)) refuse_list(set, companion, "that of another version");
  return {key_of_set(set), reinterpret_cast<const uint8*>(list),
          reinterpret_cast<const PersonHash*>(list + kHashesAt), (bytes - kHashesAt) / kPersonBytes,
          row.content == nullptr ? nullptr : text_at(row.content, kType)};
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
  const ValueForm* forms = forms_of(key.columns, key.count, {nullptr, 0});
  const Hasher hasher = make_hasher(known.secret, forms, nullptr);
  auto* hashes = allocate<PersonHash>(rows.persons);
  int place = 0;
  while (root.source.spooled()[place].number != key.columns[0].number) ++place;
  TupleTableSlot* slot =
      MakeSingleTupleTableSlot(root.loaded.spool_descriptor, &TTSOpsMinimalTuple);
  MemoryContext scratch =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit persons", ALLOCSET_SMALL_SIZES);
  tuplestore_rescan(root.loaded.spool);
  for (int64 row = 0; tuplestore_gettupleslot(root.loaded.spool, true, false, slot); ++row) {
    CHECK_FOR_INTERRUPTS();
    slot_getallattrs(slot);
    if (slot->tts_isnull[place]) refuse_null_key(rows.set.tables[0], key);
    MemoryContext old = MemoryContextSwitchTo(scratch);
    hash_person(hasher, key, slot->tts_values + place, hashes[rows.tables[0].person[row]].bytes);
    MemoryContextSwitchTo(old);
    MemoryContextReset(scratch);
  }
  MemoryContextDelete(scratch);
  ExecDropSingleTupleTableSlot(slot);
  return hashes;
}

bool is_known(const KnownPersons& known, const PersonHash& person) {
  return std::binary_search(known.persons, known.persons + known.count, person, is_before);
}

void require_same_key(const SetTable& root, const KnownPersons& known, const Key& key,
                      int64 found) {
  const char* type = type_of_key(root.relation, key.columns[0].name);
  if (known.type == nullptr || std::strcmp(known.type, type) == 0 || found == known.count) return;
  ereport(ERROR,
          (errcode(ERRCODE_DATATYPE_MISMATCH),
           errmsg("key \"%s\" of table \"%s\" has changed its type from %s to %s",
                  key.columns[0].name, root.name, known.type, type),
           errdetail("Persons of the set are missing under the new type. A refresh would publish "
                     "them again, under a second pseudonym."),
           errhint("Cast the key to its earlier type in the source, or use anon_drop_set and "
                   "anon_publish_set.")));
}

void note_persons(const SetQuery& set, const SetWork& work) {
  const KnownPersons& known = *work.known;
  const int64 bytes = kHashesAt + (known.count + work.present) * kPersonBytes;
  if (bytes > static_cast<int64>(MaxAllocSize) - VARHDRSZ)
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
                    errmsg("a set that grows has at most 33 million persons"),
                    errhint("Publish the others as another set.")));
  auto* value = static_cast<bytea*>(palloc(static_cast<std::size_t>(bytes + VARHDRSZ)));
  SET_VARSIZE(value, bytes + VARHDRSZ);
  char* list = VARDATA(value);
  const TimestampTz built = read_public_note(set.description).built;
  const PersonHash* added = hashes_of_new(work);
  std::memcpy(list, known.secret, kSecretBytes);
  std::memcpy(list + kBuiltAt, &built, sizeof built);
  std::merge(known.persons, known.persons + known.count, added, added + work.present,
             reinterpret_cast<PersonHash*>(list + kHashesAt), is_before);
  seal_of(list, bytes, reinterpret_cast<uint8*>(list + kMacAt));
  JsonObject content;
  content.add(kType, type_of_key(work.tables.tables[0].relation, known.key.names[0]));
  write_companion(require_companion(set.description), kPersons, 0, content.finish(), value);
}

}  // namespace anonkit::pg
