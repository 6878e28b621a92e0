// The way from a release to its companion.

#include "pg/backend/companion.hpp"

#include "pg/backend/catalog_rows.hpp"
#include "pg/backend/companion_table.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"

extern "C" {
#include "catalog/dependency.h"
#include "catalog/pg_attrdef.h"
#include "catalog/pg_collation.h"
#include "storage/lmgr.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {
namespace {

/// The owner of a relation; InvalidOid if it was dropped.
Oid owner_if_exists(Oid relation) {
  return owner_in(RELOID, Anum_pg_class_relowner, relation);
}

/// The table of a column's default; InvalidOid if it was dropped.
Oid table_of_default(Oid column_default) {
  ScanKeyData key = oid_key(Anum_pg_attrdef_oid, column_default);
  Oid table = InvalidOid;
  for_catalog_rows<FormData_pg_attrdef>(
      AttrDefaultRelationId, AttrDefaultOidIndexId, &key, 1,
      [&](const FormData_pg_attrdef& found) { table = found.adrelid; });
  return table;
}

/// The table that this dependency on a release makes a candidate; else InvalidOid. Anybody may name
/// a release in a default, so that counts for tables of the release's owner. An automatic
/// dependency is anonkit's own, and holds for a companion that was given to another role, too.
Oid candidate(const FormData_pg_depend& dependency, Oid owner) {
  Oid table = InvalidOid;
  if (dependency.classid == RelationRelationId && dependency.deptype == DEPENDENCY_AUTO &&
      dependency.objsubid == 0)
    table = dependency.objid;
  else if (dependency.classid == AttrDefaultRelationId)
    table = table_of_default(dependency.objid);
  if (!OidIsValid(table) || !resembles_companion(table)) return InvalidOid;
  return dependency.classid == RelationRelationId || owner_if_exists(table) == owner ? table
                                                                                     : InvalidOid;
}

/// All candidates, each once.
List* candidates_of(Oid release) {
  const Oid owner = owner_if_exists(release);
  List* found = NIL;
  for_dependents(RelationRelationId, release, [&](const FormData_pg_depend& dependency) {
    const Oid table = candidate(dependency, owner);
    if (OidIsValid(table)) found = list_append_unique_oid(found, table);
  });
  return found;
}

/// True if the locked table exists and is a companion of the release.
bool is_sound(Oid table, Oid release) {
  Relation relation = try_relation_open(table, NoLock);
  if (relation == nullptr) return false;
  const bool sound = companion_fault(relation, release, owner_if_exists(release)) == nullptr;
  relation_close(relation, NoLock);
  return sound;
}

void require_sound(Oid table, Oid release) {
  Relation relation = open_relation(table);
  if (const char* fault = companion_fault(relation, release, owner_of(release)))
    refuse_companion(relation, release, fault);
  relation_close(relation, NoLock);
}

[[noreturn]] void refuse_two(const List* tables, Oid release) {
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("release \"%s\" has two companions", get_rel_name(release)),
                  errdetail("They are tables \"%s\" and \"%s\".",
                            get_rel_name(linitial_oid(tables)), get_rel_name(lsecond_oid(tables))),
                  errhint("Drop the one that is not of this release.")));
  pg_unreachable();
}

bool depends(Oid table, const ObjectAddress& on, DependencyType how) {
  ScanKeyData keys[] = {oid_key(Anum_pg_depend_classid, RelationRelationId),
                        oid_key(Anum_pg_depend_objid, table)};
  bool found = false;
  for_catalog_rows<FormData_pg_depend>(
      DependRelationId, DependDependerIndexId, keys, 2, [&](const FormData_pg_depend& dependency) {
        found = found || (dependency.objsubid == 0 && dependency.refclassid == on.classId &&
                          dependency.refobjid == on.objectId && dependency.deptype == how);
      });
  return found;
}

/// Records that a table depends on an object, once.
void depend(Oid table, Oid catalog, Oid object, DependencyType how) {
  ObjectAddress depender;
  ObjectAddress referenced;
  ObjectAddressSet(depender, RelationRelationId, table);
  ObjectAddressSet(referenced, catalog, object);
  if (depends(table, referenced, how)) return;
  recordDependencyOn(&depender, &referenced, how);
  CommandCounterIncrement();
}

}  // namespace

Oid find_companion(Oid release) {
  Oid found = InvalidOid;
  bool two = false;
  ListCell* cell;
  foreach (cell, candidates_of(release)) {
    const Oid table = lfirst_oid(cell);
    if (!ConditionalLockRelationOid(table, AccessShareLock)) continue;
    const bool sound = is_sound(table, release);
    two = two || (sound && OidIsValid(found));
    if (sound && !OidIsValid(found))
      found = table;
    else
      UnlockRelationOid(table, AccessShareLock);
  }
  if (!two) return found;
  UnlockRelationOid(found, AccessShareLock);
  return InvalidOid;
}

Oid await_companion(Oid release) {
  const List* candidates = candidates_of(release);
  if (candidates == NIL) return InvalidOid;
  ListCell* cell;
  foreach (cell, candidates) require_sound(lfirst_oid(cell), release);
  if (list_length(candidates) > 1) refuse_two(candidates, release);
  return linitial_oid(candidates);
}

Oid require_companion(Oid release) {
  const Oid companion = await_companion(release);
  if (!OidIsValid(companion)) return create_companion(release);
  depend_on_release(companion, release);
  return companion;
}

// With two candidates DROP names both, and the owner decides.
void tie_companion(Oid release) {
  const List* candidates = candidates_of(release);
  if (list_length(candidates) == 1) depend_on_release(linitial_oid(candidates), release);
}

void depend_on_release(Oid table, Oid release) {
  depend(table, RelationRelationId, release, DEPENDENCY_AUTO);
}

void depend_on_types(Oid table) {
  Relation relation = open_relation(table);
  TupleDesc columns = RelationGetDescr(relation);
  for (int i = 0; i < columns->natts; ++i) {
    const FormData_pg_attribute& column = *TupleDescAttr(columns, i);
    if (column.atttypid >= FirstNormalObjectId)
      depend(table, TypeRelationId, column.atttypid, DEPENDENCY_NORMAL);
    if (column.attcollation >= FirstNormalObjectId)
      depend(table, CollationRelationId, column.attcollation, DEPENDENCY_NORMAL);
  }
  relation_close(relation, NoLock);
}

}  // namespace anonkit::pg
