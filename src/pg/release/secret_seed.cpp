#include "pg/release/secret_seed.hpp"

#include <algorithm>
#include <cstring>

#include "base/byte_order.hpp"
#include "base/keyed_random.hpp"
#include "method/mondrian/grid_method.hpp"

#include "pg/backend/catalog_rows.hpp"
#include "pg/backend/companion.hpp"
#include "pg/backend/session.hpp"
#include "pg/release/release_query.hpp"

extern "C" {
#include "catalog/pg_class.h"
#include "storage/lmgr.h"
#include "storage/lock.h"
}

namespace anonkit::pg {
namespace {

constexpr char kSecretItem[] = "secret";
constexpr int kSecretLength = KeyedRandom::kKeyBytes;
static_assert(kSecretLength == kSecretBytes);

/// True if this session holds a lock on the relation as a refresh does.
bool is_locked_for_refresh(Oid relation) {
  LOCKTAG tag;
  SET_LOCKTAG_RELATION(tag, MyDatabaseId, relation);
  return anonkit_holds_lock(&tag, AccessExclusiveLock) || anonkit_holds_lock(&tag, ExclusiveLock);
}

/// Zeros are nobody's random bytes.
bool is_secret(const bytea* bytes) {
  const char* first = VARDATA_ANY(bytes);
  const auto size = static_cast<int>(VARSIZE_ANY_EXHDR(bytes));
  return size == kSecretLength && std::any_of(first, first + size, [](char c) { return c != 0; });
}

bool is_release_of(Oid relation, Oid source, Jsonb* spec) {
  ReleaseQuery query;
  return read_release(relation, query) && query.source == source &&
         compareJsonbContainers(&query.spec->root, &spec->root) == 0;
}

}  // namespace

void use_secret(Spec& spec, const uint8* secret) {
  if (!spec.secret_seed) return;
  spec.options.secret = secret;
  spec.options.seed = number_of_bytes<std::uint64_t>(secret);
}

void keep_secret(Oid release, const uint8* secret) {
  auto* bytes = reinterpret_cast<bytea*>(palloc(VARHDRSZ + kSecretLength));
  SET_VARSIZE(bytes, VARHDRSZ + kSecretLength);
  std::memcpy(VARDATA(bytes), secret, kSecretLength);
  write_companion(require_companion(release), kSecretItem, 0, nullptr, bytes);
}

const uint8* secret_of(Oid release) {
  const Oid companion = await_companion(release);
  CompanionRow row = {};
  if (OidIsValid(companion)) row = read_companion(companion, kSecretItem, 0);
  if (!row.found || row.bytes == nullptr || !is_secret(row.bytes))
    ereport(ERROR,
            (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
             errmsg("the secret seed of release \"%s\" is missing", get_rel_name(release)),
             OidIsValid(companion)
                 ? errdetail("Table \"%s\" has none.", get_rel_name(companion))
                 : errdetail("The owner's table beside the release, which held it, is gone."),
             errhint("Drop the release, and publish it again.")));
  auto* secret = allocate<uint8>(kSecretLength);
  std::memcpy(secret, VARDATA_ANY(row.bytes), kSecretLength);
  return secret;
}

Oid release_in_refresh(Oid source, Jsonb* spec) {
  Oid found = InvalidOid;
  const auto take = [&](const FormData_pg_class& entry) {
    if (entry.relkind != RELKIND_MATVIEW || entry.relowner != GetUserId() ||
        !is_locked_for_refresh(entry.oid) || !is_release_of(entry.oid, source, spec))
      return;
    if (OidIsValid(found))
      ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                      errmsg("two equal releases with a secret seed cannot be refreshed in one "
                             "transaction"),
                      errhint("Call anon_refresh for each.")));
    found = entry.oid;
  };
  for_catalog_rows<FormData_pg_class>(RelationRelationId, InvalidOid, nullptr, 0, take);
  return found;
}

void warn_of_public_seed(const Spec& spec) {
  if (spec.secret_seed || !cuts_by_grid(spec.options)) return;
  ereport(NOTICE, (errmsg("the coins of this release can be computed from its seed"),
                   errdetail("Against an attacker who knows the code it is no better than cuts "
                             "without coins."),
                   errhint("Leave secret_seed out.")));
}

}  // namespace anonkit::pg
