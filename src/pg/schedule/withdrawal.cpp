#include "pg/schedule/withdrawal.hpp"

#include "pg/backend/companion.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/schedule/access_list.hpp"
#include "pg/schedule/content.hpp"
#include "pg/schedule/runs.hpp"

extern "C" {
#include "access/xact.h"
#include "access/xlog.h"
#include "storage/lmgr.h"
}

namespace anonkit::pg {
namespace {

constexpr char kWithdrawn[] = "withdrawn";

/// A withdrawn right. Plain data.
struct Right {
  Oid grantee;  ///< or ACL_ID_PUBLIC
  Oid grantor;
  int16 column;    ///< 0: the relation
  bool grantable;  ///< with grant option
  TransactionId writer;
};

struct Rights {
  Right* list;
  int count;
};

/// Roles have other OIDs in other clusters.
char* cluster() {
  return psprintf(UINT64_FORMAT, GetSystemIdentifier());
}

// ---- the item 'withdrawn': a list of numbers for each field ----

struct Field {
  const char* key;
  int64 (*get)(const Right& right);
  void (*set)(Right& right, int64 number);
};

constexpr Field kFields[] = {
    {"grantees", [](const Right& right) -> int64 { return right.grantee; },
     [](Right& right, int64 number) { right.grantee = static_cast<Oid>(number); }},
    {"grantors", [](const Right& right) -> int64 { return right.grantor; },
     [](Right& right, int64 number) { right.grantor = static_cast<Oid>(number); }},
    {"columns", [](const Right& right) -> int64 { return right.column; },
     [](Right& right, int64 number) { right.column = static_cast<int16>(number); }},
    {"grantable", [](const Right& right) -> int64 { return right.grantable ? 1 : 0; },
     [](Right& right, int64 number) { right.grantable = number != 0; }},
    {"writers", [](const Right& right) -> int64 { return right.writer; },
     [](Right& right, int64 number) { right.writer = static_cast<TransactionId>(number); }},
};

Rights read_rights(Oid companion) {
  const CompanionRow row = read_companion(companion, kWithdrawn, 0);
  const char* system = text_at(row.content, "cluster");
  if (system == nullptr || strcmp(system, cluster()) != 0) return {nullptr, 0};
  Rights rights = {nullptr, whole_numbers_at(row.content, kFields[0].key).count};
  rights.list = allocate<Right>(rights.count);
  for (const Field& field : kFields) {
    const WholeNumbers numbers = whole_numbers_at(row.content, field.key);
    if (numbers.count != rights.count) return {nullptr, 0};
    for (int i = 0; i < rights.count; ++i) field.set(rights.list[i], numbers.list[i]);
  }
  return rights;
}

void write_rights(Oid companion, const Rights& rights) {
  JsonObject content;
  content.add("cluster", cluster());
  Datum* numbers = allocate<Datum>(rights.count);
  for (const Field& field : kFields) {
    for (int i = 0; i < rights.count; ++i) numbers[i] = Int64GetDatum(field.get(rights.list[i]));
    content.add_array(field.key, construct_array(numbers, rights.count, INT8OID, sizeof(int64),
                                                 FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
  }
  write_companion(companion, kWithdrawn, 0, content.finish(), nullptr);
}

// ---- the access lists ----

/// The entry that a withdrawn right has left in its list, if nobody has changed it; else null.
AclItem* place_of(const Right& right, const AccessList& list) {
  if (right.column != list.column) return nullptr;
  AclItem* entry = entry_of(list, right.grantee, right.grantor);
  if (entry == nullptr || (ACLITEM_GET_RIGHTS(*entry) & kReading) != 0) return nullptr;
  return ACLITEM_GET_RIGHTS(*entry) == ACL_NO_RIGHTS || right.writer == list.writer ? entry
                                                                                    : nullptr;
}

void add_right(Rights& rights, const Right& right) {
  resize(rights.list, rights.count + 1);
  rights.list[rights.count++] = right;
}

/// Adds the rights that are withdrawn from a list, and that nobody has changed since.
void add_unchanged(const Rights& before, const AccessList& list, Rights& rights) {
  for (int i = 0; i < before.count; ++i)
    if (place_of(before.list[i], list) != nullptr) add_right(rights, before.list[i]);
}

/// Withdraws the rights of a list. Returns their number.
int withdraw_from(const AccessList& list, Oid owner, Rights& rights) {
  const int before = rights.count;
  for (int i = 0; i < entries(list); ++i) {
    AclItem& entry = ACL_DAT(list.acl)[i];
    const AclMode held = ACLITEM_GET_RIGHTS(entry);
    if (entry.ai_grantee == owner || (held & kReading) == 0) continue;
    const bool grantable = (held & ACL_GRANT_OPTION_FOR(ACL_SELECT)) != 0;
    add_right(rights, {entry.ai_grantee, entry.ai_grantor, list.column, grantable, 0});
    ACLITEM_SET_RIGHTS(entry, held & ~kReading);
  }
  if (rights.count == before) return 0;
  write_list(list);
  for (int i = 0; i < rights.count; ++i)
    if (rights.list[i].column == list.column) rights.list[i].writer = GetCurrentTransactionId();
  return rights.count - before;
}

/// True if the role may grant SELECT by an entry of the list.
bool may_grant(const AccessList& list, Oid role) {
  for (int i = 0; i < entries(list); ++i) {
    const AclItem& entry = ACL_DAT(list.acl)[i];
    if (entry.ai_grantee == role &&
        (ACLITEM_GET_GOPTIONS(entry) & static_cast<AclMode>(ACL_SELECT)) != 0)
      return true;
  }
  return false;
}

/// Restores the rights of a list whose grantors may grant; those of others may be next.
bool restore_some(const AccessList& list, const AccessList& relation, Oid owner,
                  const Rights& rights) {
  bool restored = false;
  for (int i = 0; i < rights.count; ++i) {
    const Right& right = rights.list[i];
    AclItem* place = place_of(right, list);
    if (place == nullptr || !(right.grantor == owner || may_grant(relation, right.grantor) ||
                              may_grant(list, right.grantor)))
      continue;
    const AclMode reading = right.grantable ? kReading : static_cast<AclMode>(ACL_SELECT);
    ACLITEM_SET_RIGHTS(*place, ACLITEM_GET_RIGHTS(*place) | reading);
    restored = true;
  }
  return restored;
}

/// Removes the empty places of rights whose grantors have lost their own.
bool remove_places(AccessList& list, const Rights& rights) {
  bool removed = false;
  for (int i = 0; i < rights.count; ++i) {
    AclItem* place = place_of(rights.list[i], list);
    if (place == nullptr || ACLITEM_GET_RIGHTS(*place) != ACL_NO_RIGHTS) continue;
    remove_entry(list, place);
    removed = true;
  }
  return removed;
}

/// The number of rights whose entries hold other rights and were written since: nobody can tell if
/// somebody has revoked them.
int uncertain(const AccessList& list, const Rights& rights) {
  int count = 0;
  for (int i = 0; i < rights.count; ++i) {
    const Right& right = rights.list[i];
    const AclItem* entry =
        right.column == list.column ? entry_of(list, right.grantee, right.grantor) : nullptr;
    if (entry != nullptr && (ACLITEM_GET_RIGHTS(*entry) & kReading) == 0 &&
        place_of(right, list) == nullptr)
      ++count;
  }
  return count;
}

void restore_list(AccessList& list, const AccessList& relation, Oid owner, const Rights& rights) {
  bool changed = false;
  while (restore_some(list, relation, owner, rights)) changed = true;
  changed = remove_places(list, rights) || changed;
  if (changed) write_list(list);
}

/// Restores rights, and returns the number of uncertain ones.
int restore(Oid release, const Rights& rights) {
  if (rights.count == 0) return 0;
  const Oid owner = owner_of(release);
  List* lists = open_lists(release);
  int left = 0;
  ListCell* cell;
  foreach (cell, lists) {
    auto& list = *static_cast<AccessList*>(lfirst(cell));
    left += uncertain(list, rights);
    restore_list(list, *static_cast<AccessList*>(linitial(lists)), owner, rights);
  }
  return left;
}

}  // namespace

int withdraw_rights(Oid release, Oid companion) {
  const Oid owner = owner_of(release);
  const Rights before = read_rights(companion);
  Rights rights = {allocate<Right>(0), 0};
  int withdrawn = 0;
  ListCell* cell;
  foreach (cell, open_lists(release)) {
    const auto& list = *static_cast<AccessList*>(lfirst(cell));
    add_unchanged(before, list, rights);
    withdrawn += withdraw_from(list, owner, rights);
  }
  if (withdrawn > 0) write_rights(companion, rights);
  return withdrawn;
}

void restore_rights(Oid release, Oid companion) {
  const bool none = read_rights(companion).count == 0;
  // A DROP locks the release first, and would wait for this lock while the job waits for the
  // release.
  UnlockRelationOid(companion, AccessShareLock);
  if (none) return;
  LockRelationOid(release, get_rel_relkind(release) == RELKIND_MATVIEW ? ExclusiveLock
                                                                       : ShareUpdateExclusiveLock);
  await_turn(companion);
  restore(release, read_rights(companion));
}

void forget_withdrawn(Oid release, Oid companion) {
  const int left = restore(release, read_rights(companion));
  remove_companion_row(companion, kWithdrawn, 0);
  if (left == 0) return;
  ereport(WARNING,
          (errmsg_plural("%d withdrawn right to read release \"%s\" is not restored",
                         "%d withdrawn rights to read release \"%s\" are not restored",
                         static_cast<unsigned long>(left), left, get_rel_name(release)),
           errdetail("The release has changed since, and a REVOKE would have left no trace."),
           errhint("Grant SELECT by hand to roles that hold other rights on it, too.")));
}

}  // namespace anonkit::pg
