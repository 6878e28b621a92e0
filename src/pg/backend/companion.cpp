// The way from a release to its companion.

#include "pg/backend/companion.hpp"

#include "pg/backend/companion_table.hpp"
#include "pg/backend/owners_work.hpp"

extern "C" {
#include "access/genam.h"
#include "catalog/dependency.h"
#include "catalog/indexing.h"
#include "catalog/pg_attrdef.h"
#include "catalog/pg_depend.h"
#include "storage/lmgr.h"
#include "utils/fmgroids.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {
namespace {

/// The owner of a relation; InvalidOid if it was dropped.
Oid owner_if_exists(Oid relation) {
  HeapTuple tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
  if (!HeapTupleIsValid(tuple)) return InvalidOid;
  const Oid owner = reinterpret_cast<Form_pg_class>(GETSTRUCT(tuple))->relowner;
  ReleaseSysCache(tuple);
  return owner;
}

/// The table of a column's default; InvalidOid if it was dropped.
Oid table_of_default(Oid column_default) {
  ScanKeyData key;
  ScanKeyInit(&key, Anum_pg_attrdef_oid, BTEqualStrategyNumber, F_OIDEQ,
              ObjectIdGetDatum(column_default));
  Relation defaults = table_open(AttrDefaultRelationId, AccessShareLock);
  SysScanDesc scan = systable_beginscan(defaults, AttrDefaultOidIndexId, true, nullptr, 1, &key);
  HeapTuple tuple = systable_getnext(scan);
  const Oid table = HeapTupleIsValid(tuple)
                        ? reinterpret_cast<Form_pg_attrdef>(GETSTRUCT(tuple))->adrelid
                        : InvalidOid;
  systable_endscan(scan);
  table_close(defaults, AccessShareLock);
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
  ScanKeyData keys[2];
  ScanKeyInit(&keys[0], Anum_pg_depend_refclassid, BTEqualStrategyNumber, F_OIDEQ,
              ObjectIdGetDatum(RelationRelationId));
  ScanKeyInit(&keys[1], Anum_pg_depend_refobjid, BTEqualStrategyNumber, F_OIDEQ,
              ObjectIdGetDatum(release));
  List* found = NIL;
  Relation dependencies = table_open(DependRelationId, AccessShareLock);
  SysScanDesc scan =
      systable_beginscan(dependencies, DependReferenceIndexId, true, nullptr, 2, keys);
  while (HeapTuple tuple = systable_getnext(scan)) {
    const Oid table = candidate(*reinterpret_cast<Form_pg_depend>(GETSTRUCT(tuple)), owner);
    if (OidIsValid(table)) found = list_append_unique_oid(found, table);
  }
  systable_endscan(scan);
  table_close(dependencies, AccessShareLock);
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
  Relation relation = relation_open(table, AccessShareLock);
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

bool depends(Oid table, Oid release) {
  ScanKeyData keys[3];
  ScanKeyInit(&keys[0], Anum_pg_depend_classid, BTEqualStrategyNumber, F_OIDEQ,
              ObjectIdGetDatum(RelationRelationId));
  ScanKeyInit(&keys[1], Anum_pg_depend_objid, BTEqualStrategyNumber, F_OIDEQ,
              ObjectIdGetDatum(table));
  ScanKeyInit(&keys[2], Anum_pg_depend_objsubid, BTEqualStrategyNumber, F_INT4EQ, Int32GetDatum(0));
  bool found = false;
  Relation dependencies = table_open(DependRelationId, AccessShareLock);
  SysScanDesc scan =
      systable_beginscan(dependencies, DependDependerIndexId, true, nullptr, 3, keys);
  while (HeapTuple tuple = systable_getnext(scan)) {
    const auto* dependency = reinterpret_cast<Form_pg_depend>(GETSTRUCT(tuple));
    found = found || (dependency->refclassid == RelationRelationId &&
                      dependency->refobjid == release && dependency->deptype == DEPENDENCY_AUTO);
  }
  systable_endscan(scan);
  table_close(dependencies, AccessShareLock);
  return found;
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

Oid require_companion(Oid release) {
  const List* candidates = candidates_of(release);
  if (candidates == NIL) return create_companion(release);
  ListCell* cell;
  foreach (cell, candidates) require_sound(lfirst_oid(cell), release);
  if (list_length(candidates) > 1) refuse_two(candidates, release);
  const Oid companion = linitial_oid(candidates);
  depend_on_release(companion, release);
  return companion;
}

// With two candidates DROP names both, and the owner decides.
void tie_companion(Oid release) {
  const List* candidates = candidates_of(release);
  if (list_length(candidates) == 1) depend_on_release(linitial_oid(candidates), release);
}

void depend_on_release(Oid table, Oid release) {
  if (depends(table, release)) return;
  ObjectAddress depender;
  ObjectAddress referenced;
  ObjectAddressSet(depender, RelationRelationId, table);
  ObjectAddressSet(referenced, RelationRelationId, release);
  recordDependencyOn(&depender, &referenced, DEPENDENCY_AUTO);
  CommandCounterIncrement();
}

}  // namespace anonkit::pg
