#include "pg/set/set_hashes.hpp"

#include <cstdlib>
#include <cstring>

#include "base/byte_order.hpp"

#include "pg/backend/companion.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/origin.hpp"
#include "pg/backend/session.hpp"
#include "pg/over_time/canonical.hpp"
#include "pg/release/release_note.hpp"
#include "pg/schedule/content.hpp"

namespace anonkit::pg {
namespace {

constexpr char kType[] = "type", kOrigin[] = "origin";

constexpr int kMacAt = kSecretBytes;
constexpr int kBuiltAt = kMacAt + kMacBytes;
constexpr int kHashesAt = kBuiltAt + static_cast<int>(sizeof(TimestampTz));

void seal_of(const HashKind& kind, const char* list, int64 bytes, uint8* seal) {
  mac_of(make_mac(reinterpret_cast<const uint8*>(list)), kind.sealed, list + kBuiltAt,
         static_cast<std::size_t>(bytes - kBuiltAt), seal);
}

bool is_sealed(const HashKind& kind, const char* list, int64 bytes) {
  if (bytes < kHashesAt || (bytes - kHashesAt) % kind.width != 0) return false;
  uint8 seal[kMacBytes];
  seal_of(kind, list, bytes, seal);
  return std::memcmp(list + kMacAt, seal, kMacBytes) == 0;
}

[[noreturn]] void refuse_list(const SetQuery& set, const HashKind& kind, Oid companion,
                              const char* fault) {
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("set \"%s\" has lost the list of its %s", get_namespace_name(set.schema),
                         kind.item),
                  errdetail("Table \"%s\" has %s.", get_rel_name(companion), fault),
                  errhint("Restore the set and that table together, or use anon_drop_set and "
                          "anon_publish_set.")));
  pg_unreachable();
}

/// False if the note of the set has another time. A comment of the owner's own has replaced some
/// notes.
bool is_of_this_version(const SetQuery& set, const char* list) {
  const auto built = number_of_bytes<TimestampTz>(list + kBuiltAt);
  const PublicNote note = read_public_note(set.description);
  return !note.found || note.built == built;
}

template <int width>
int compare_hashes(const void* a, const void* b) {
  return std::memcmp(a, b, width);
}

using CompareHashes = int (*)(const void*, const void*);
CompareHashes order_of(const HashKind& kind) {
  return kind.width == kPersonBytes ? compare_hashes<kPersonBytes> : compare_hashes<kRowBytes>;
}

/// Both lists in one order, at `to`.
void merge_hashes(const HashKind& kind, const HashList& known, const uint8* added, int64 count,
                  char* to) {
  const auto width = static_cast<std::size_t>(kind.width);
  const uint8* old = known.hashes;
  const uint8* const old_end = known.hashes + known.count * kind.width;
  const uint8* const end = added + count * kind.width;
  while (old < old_end || added < end) {
    const bool is_old = added == end || (old < old_end && std::memcmp(old, added, width) < 0);
    const uint8*& next = is_old ? old : added;
    std::memcpy(to, next, width);
    to += width;
    next += width;
  }
}

}  // namespace

HashList read_hashes(const SetQuery& set, const HashKind& kind, int64 number) {
  const Oid companion = require_companion(set.description);
  const CompanionRow row = read_companion(companion, kind.item, number);
  if (row.bytes == nullptr) refuse_list(set, kind, companion, "none");
  const char* list = VARDATA_ANY(row.bytes);
  const int64 bytes = VARSIZE_ANY_EXHDR(row.bytes);
  if (!is_sealed(kind, list, bytes)) refuse_list(set, kind, companion, "one that no refresh wrote");
  if (!is_of_this_version(set, list)) refuse_list(set, kind, companion, "that of another version");
  return {reinterpret_cast<const uint8*>(list), reinterpret_cast<const uint8*>(list + kHashesAt),
          (bytes - kHashesAt) / kind.width, text_at(row.content, kType),
          text_at(row.content, kOrigin)};
}

HashList no_hashes(const uint8* secret) {
  return {secret, nullptr, 0, nullptr, nullptr};
}

bool has_hash(const HashList& known, const HashKind& kind, const uint8* hash) {
  return known.count > 0 &&
         std::bsearch(hash, known.hashes, static_cast<std::size_t>(known.count),
                      static_cast<std::size_t>(kind.width), order_of(kind)) != nullptr;
}

void write_hashes(const SetQuery& set, const HashKind& kind, int64 number, const HashList& known,
                  uint8* added, int64 count, const char* type) {
  const int64 bytes = kHashesAt + (known.count + count) * kind.width;
  if (bytes > static_cast<int64>(MaxAllocSize) - VARHDRSZ)
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
                    errmsg("a set that grows has at most %s", kind.most),
                    errhint("Publish the others as another set.")));
  auto* value = static_cast<bytea*>(palloc(static_cast<std::size_t>(bytes + VARHDRSZ)));
  SET_VARSIZE(value, bytes + VARHDRSZ);
  char* list = VARDATA(value);
  qsort(added, static_cast<std::size_t>(count), static_cast<std::size_t>(kind.width),
        order_of(kind));
  std::memcpy(list, known.secret, kSecretBytes);
  write_bytes(read_public_note(set.description).built, list + kBuiltAt);
  merge_hashes(kind, known, added, count, list + kHashesAt);
  seal_of(kind, list, bytes, reinterpret_cast<uint8*>(list + kMacAt));
  JsonObject content;
  if (type != nullptr) content.add(kType, type);
  content.add(kOrigin, present_database());
  write_companion(require_companion(set.description), kind.item, number, content.finish(), value);
}

void for_each_hash(const uint8* secret, const Key& key, const Run& run, HashedRow receive,
                   void* state) {
  const Hasher hasher =
      make_hasher(secret, forms_of(key.columns, key.count, {nullptr, 0}), nullptr);
  int place = 0;
  while (run.source.spooled()[place].number != key.columns[0].number) ++place;
  TupleTableSlot* slot = MakeSingleTupleTableSlot(run.loaded.spool_descriptor, &TTSOpsMinimalTuple);
  MemoryContext scratch =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit hashes", ALLOCSET_SMALL_SIZES);
  tuplestore_rescan(run.loaded.spool);
  for (int64 row = 0; tuplestore_gettupleslot(run.loaded.spool, true, false, slot); ++row) {
    CHECK_FOR_INTERRUPTS();
    slot_getallattrs(slot);
    uint8 hash[kPersonBytes];
    const bool is_null = slot->tts_isnull[place];
    if (!is_null) {
      MemoryContext old = MemoryContextSwitchTo(scratch);
      hash_person(hasher, key, slot->tts_values + place, hash);
      MemoryContextSwitchTo(old);
      MemoryContextReset(scratch);
    }
    receive(row, is_null ? nullptr : hash, state);
  }
  MemoryContextDelete(scratch);
  ExecDropSingleTupleTableSlot(slot);
}

const char* type_of_key(Oid relation, const char* key) {
  return format_type_be(getBaseType(get_atttype(relation, get_attnum(relation, key))));
}

void require_key_type(const SetTable& table, const char* key, const HashList& known, bool go_on,
                      const char* detail) {
  const char* type = type_of_key(table.relation, key);
  if (known.type == nullptr || std::strcmp(known.type, type) == 0 || go_on) return;
  ereport(ERROR,
          (errcode(ERRCODE_DATATYPE_MISMATCH),
           errmsg("key \"%s\" of table \"%s\" has changed its type from %s to %s", key, table.name,
                  known.type, type),
           errdetail("%s", detail),
           errhint("Cast the key to its earlier type in the source, or use anon_drop_set and "
                   "anon_publish_set.")));
}

}  // namespace anonkit::pg
