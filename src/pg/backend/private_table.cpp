#include "pg/backend/private_table.hpp"

#include "pg/backend/described.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"

extern "C" {
#include "catalog/pg_am.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_namespace.h"
#include "storage/bufmgr.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {

namespace {

/// A copy of the privileges in a catalog's column; null if they are the default ones.
Acl* privileges_in(int cache, AttrNumber column, Oid oid) {
  HeapTuple tuple = SearchSysCache1(cache, ObjectIdGetDatum(oid));
  if (!HeapTupleIsValid(tuple)) elog(ERROR, "cache lookup failed for object %u", oid);
  bool is_null;
  const Datum acl = SysCacheGetAttr(cache, tuple, column, &is_null);
  Acl* copy = is_null ? nullptr : DatumGetAclPCopy(acl);
  ReleaseSysCache(tuple);
  return copy;
}

/// The first entry of another role than the owner; null without one.
const AclItem* foreign_privilege(const Acl* acl, Oid owner) {
  for (int i = 0; acl != nullptr && i < ACL_NUM(acl); ++i)
    if (ACL_DAT(acl)[i].ai_grantee != owner) return &ACL_DAT(acl)[i];
  return nullptr;
}

bool inherits(Oid table) {
  return has_superclass(table) ||
         (has_subclass(table) && find_inheritance_children(table, NoLock) != NIL);
}

Acl* privileges_of_schema(Oid schema) {
  return privileges_in(NAMESPACEOID, Anum_pg_namespace_nspacl, schema);
}

void require_private(const Acl* acl, Oid owner, const char* name) {
  if (foreign_privilege(acl, owner) == nullptr) return;
  ereport(ERROR,
          (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE), errmsg("\"%s\" cannot be made private", name),
           errdetail("Roles beside its owner keep a right to it.")));
}

/// Revokes the rights of all but the owner. `object` is as in GRANT.
void leave_to(Oid owner, const char* object, const char* name, Acl* (*privileges)(Oid), Oid oid) {
  const Acl* acl = privileges(oid);
  for (int i = 0; acl != nullptr && i < ACL_NUM(acl); ++i) {
    const Oid grantee = ACL_DAT(acl)[i].ai_grantee;
    if (grantee == owner) continue;
    execute(
        psprintf("REVOKE ALL ON %s FROM %s CASCADE", object,
                 grantee == ACL_ID_PUBLIC ? "PUBLIC"
                                          : quote_identifier(GetUserNameFromId(grantee, false))),
        SPI_OK_UTILITY);
  }
  if (acl != nullptr)
    execute(psprintf("GRANT ALL ON %s TO %s", object,
                     quote_identifier(GetUserNameFromId(owner, false))),
            SPI_OK_UTILITY);
  require_private(privileges(oid), owner, name);
}

}  // namespace

Acl* privileges_of(Oid relation) {
  return privileges_in(RELOID, Anum_pg_class_relacl, relation);
}

void refuse_made(const char* name, const char* detail) {
  refuse_altered(name, detail,
                 "Event triggers must leave relations of releases as they were made.");
}

Oid made_relation(const char* name, Oid schema) {
  const Oid made = get_relname_relid(name, schema);
  if (!OidIsValid(made)) refuse_made(name, "It was renamed, moved or dropped.");
  if (owner_of(made) != GetUserId()) refuse_made(name, "It was given to another role.");
  return made;
}

void leave_to_owner(Oid table) {
  leave_to(owner_of(table), qualified_name_of(table), get_rel_name(table), privileges_of, table);
}

void require_as_made(Oid table) {
  Relation opened = open_relation(table);
  const char* fault = private_table_fault(opened, GetUserId());
  if (fault == nullptr && RelationGetNumberOfBlocks(opened) > 0) fault = "has rows";
  if (fault != nullptr) refuse_made(RelationGetRelationName(opened), psprintf("It %s.", fault));
  relation_close(opened, NoLock);
}

Oid make_private_table(Oid schema, const char* name, const char* columns, const char* storage,
                       const char* comment) {
  const char* quoted = quote_qualified_identifier(get_namespace_name(schema), name);
  execute(psprintf("CREATE TABLE %s (%s) USING heap WITH (%s)", quoted, columns, storage),
          SPI_OK_UTILITY);
  leave_to_owner(made_relation(name, schema));
  execute(psprintf("COMMENT ON TABLE %s IS %s", quoted, quote_literal_cstr(comment)),
          SPI_OK_UTILITY);
  const Oid table = made_relation(name, schema);
  require_as_made(table);
  return table;
}

void require_left(const List* tables) {
  ListCell* cell;
  foreach (cell, tables) {
    const Oid table = lfirst_oid(cell);
    if (OidIsValid(table))
      require_private(privileges_of(table), owner_of(table), relation_name(table));
  }
}

void leave_schema_to_owner(Oid schema) {
  const char* name = get_namespace_name(schema);
  leave_to(GetUserId(), psprintf("SCHEMA %s", quote_identifier(name)), name, privileges_of_schema,
           schema);
}

const char* private_table_fault(Relation table, Oid owner) {
  const FormData_pg_class& form = *table->rd_rel;
  if (form.relkind != RELKIND_RELATION || form.relam != HEAP_TABLE_AM_OID ||
      form.relpersistence != RELPERSISTENCE_PERMANENT)
    return "is not an ordinary, logged table";
  if (form.relowner != owner) return "belongs to another role than the release";
  if (form.relrowsecurity || form.relforcerowsecurity) return "has row-level security";
  if (table->rd_rules != nullptr || table->trigdesc != nullptr) return "has rules or triggers";
  if (RelationGetDescr(table)->constr != nullptr && RelationGetDescr(table)->constr->num_check > 0)
    return "has check constraints";
  if (form.relispartition || inherits(RelationGetRelid(table))) return "takes part in inheritance";
  return nullptr;
}

}  // namespace anonkit::pg
