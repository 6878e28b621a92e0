#include "pg/backend/reading_for.hpp"

#include "pg/backend/session.hpp"

extern "C" {
#include "utils/acl.h"
#include "utils/rls.h"
}

namespace anonkit::pg {
namespace {

bool may_read_columns(Oid relation) {
  return pg_class_aclcheck(relation, GetUserId(), ACL_SELECT) == ACLCHECK_OK ||
         pg_attribute_aclcheck_all(relation, GetUserId(), ACL_SELECT, ACLMASK_ALL) == ACLCHECK_OK;
}

}  // namespace

void require_readable(Oid role, Oid relation) {
  require_relation(relation);
  if (role == GetUserId()) return;
  const Oid schema = get_rel_namespace(relation);
  if (!anonkit_may_use_schema(schema, GetUserId()))
    aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_SCHEMA, get_namespace_name(schema));
  if (!may_read_columns(relation)) require_select(relation);
  if (check_enable_rls(relation, InvalidOid, true) == RLS_ENABLED)
    ereport(
        ERROR,
        (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
         errmsg("row-level security hides rows of \"%s\" from the caller", get_rel_name(relation)),
         errdetail("A release names the relation, which is read as the release's owner."),
         errhint("Ask its owner to call the function.")));
}

OwnersWork begin_reading_for(Oid role, Oid relation) {
  if (!OidIsValid(role)) return {InvalidOid, 0, {0}};
  require_readable(role, relation);
  return begin_work_as(role);
}

void end_reading_for(const OwnersWork& work) {
  if (OidIsValid(work.user)) end_owners_work(work);
}

}  // namespace anonkit::pg
