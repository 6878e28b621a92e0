#include "pg/backend/owners_work.hpp"

#include "pg/backend/output_settings.hpp"
#include "pg/backend/session.hpp"

extern "C" {
#include "utils/acl.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {

Oid owner_in(int cache, AttrNumber owner, Oid object) {
  HeapTuple tuple = SearchSysCache1(cache, ObjectIdGetDatum(object));
  if (!HeapTupleIsValid(tuple)) return InvalidOid;
  bool is_null;
  const Oid found = DatumGetObjectId(SysCacheGetAttr(cache, tuple, owner, &is_null));
  ReleaseSysCache(tuple);
  return found;
}

Oid owner_of(Oid relation) {
  const Oid owner = owner_in(RELOID, Anum_pg_class_relowner, relation);
  if (!OidIsValid(owner)) refuse_dropped(relation);
  return owner;
}

OwnSettings begin_own_settings() {
  const OwnSettings settings = {NewGUCNestLevel()};
  set_in_nest("search_path", "pg_catalog, pg_temp");
  return settings;
}

void end_own_settings(const OwnSettings& settings) {
  AtEOXact_GUC(false, settings.nest_level);
}

OwnersWork begin_work_as(Oid role) {
  OwnersWork work;
  GetUserIdAndSecContext(&work.user, &work.security);
  SetUserIdAndSecContext(
      role, work.security | SECURITY_RESTRICTED_OPERATION | SECURITY_LOCAL_USERID_CHANGE);
  work.settings = begin_own_settings();
  return work;
}

OwnersWork begin_owners_work(Oid relation) {
  return begin_work_as(owner_of(relation));
}

void end_owners_work(const OwnersWork& work) {
  end_own_settings(work.settings);
  SetUserIdAndSecContext(work.user, work.security);
}

void require_owner(Oid relation) {
  if (!anonkit_is_owner(relation, GetUserId()))
    aclcheck_error(ACLCHECK_NOT_OWNER, get_relkind_objtype(get_rel_relkind(relation)),
                   get_rel_name(relation));
}

void require_same_owner(Oid relation, Oid table) {
  if (owner_of(relation) != owner_of(table))
    ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                    errmsg("table \"%s\" belongs to another role than release \"%s\"",
                           get_rel_name(table), get_rel_name(relation))));
}

void require_select(Oid relation) {
  const AclResult result = pg_class_aclcheck(relation, GetUserId(), ACL_SELECT);
  if (result != ACLCHECK_OK)
    aclcheck_error(result, get_relkind_objtype(get_rel_relkind(relation)), get_rel_name(relation));
}

void require_maintainer(Oid relation) {
  if (!anonkit_may_maintain(relation, GetUserId())) require_owner(relation);
}

}  // namespace anonkit::pg
