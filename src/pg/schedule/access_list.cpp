#include "pg/schedule/access_list.hpp"

#include <algorithm>

#include "pg/backend/owners_work.hpp"

extern "C" {
#include "access/sysattr.h"
#include "access/xact.h"
#include "catalog/dependency.h"
#include "catalog/indexing.h"
#include "catalog/pg_attribute.h"
#include "storage/lmgr.h"
#include "utils/inval.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {
namespace {

HeapTuple copy_row(Oid relation, int16 column) {
  return column == 0
             ? SearchSysCacheCopy1(RELOID, ObjectIdGetDatum(relation))
             : SearchSysCacheCopy2(ATTNUM, ObjectIdGetDatum(relation), Int16GetDatum(column));
}

/// The row of pg_class, locked against changes in place. A row that was replaced meanwhile is
/// locked anew; one that was changed in place shows it to the second look.
HeapTuple lock_class_row(Oid relation) {
  Relation classes = table_open(RelationRelationId, RowExclusiveLock);
  HeapTuple row = copy_row(relation, 0);
  while (HeapTupleIsValid(row)) {
    LockTuple(classes, &row->t_self, ExclusiveLock);
    AcceptInvalidationMessages();
    HeapTuple again = copy_row(relation, 0);
    const bool same = HeapTupleIsValid(again) && ItemPointerEquals(&row->t_self, &again->t_self);
    if (!same) UnlockTuple(classes, &row->t_self, ExclusiveLock);
    row = again;
    if (same) break;
  }
  table_close(classes, NoLock);
  return row;
}

AttrNumber place_of(int16 column) {
  return column == 0 ? static_cast<AttrNumber>(Anum_pg_class_relacl)
                     : static_cast<AttrNumber>(Anum_pg_attribute_attacl);
}

int catalog_of(int16 column) {
  return column == 0 ? static_cast<int>(RELOID) : static_cast<int>(ATTNUM);
}

AccessList* open_list(Oid relation, int16 column) {
  auto* list = static_cast<AccessList*>(palloc0(sizeof(AccessList)));
  list->relation = relation;
  list->column = column;
  list->row = column == 0 ? lock_class_row(relation) : copy_row(relation, column);
  if (!HeapTupleIsValid(list->row)) return list;
  list->writer = HeapTupleHeaderGetRawXmin(list->row->t_data);
  bool is_null;
  const Datum acl = SysCacheGetAttr(catalog_of(column), list->row, place_of(column), &is_null);
  if (!is_null) list->acl = DatumGetAclPCopy(acl);
  return list;
}

}  // namespace

List* open_lists(Oid relation) {
  List* lists = list_make1(open_list(relation, 0));
  HeapTuple row = static_cast<AccessList*>(linitial(lists))->row;
  const int last =
      HeapTupleIsValid(row) ? reinterpret_cast<Form_pg_class>(GETSTRUCT(row))->relnatts : 0;
  for (int column = FirstLowInvalidHeapAttributeNumber + 1; column <= last; ++column)
    if (column != 0) {
      AccessList* list = open_list(relation, static_cast<int16>(column));
      if (list->acl != nullptr) lists = lappend(lists, list);
    }
  return lists;
}

int entries(const AccessList& list) {
  return list.acl == nullptr ? 0 : ACL_NUM(list.acl);
}

AclItem* entry_of(const AccessList& list, Oid grantee, Oid grantor) {
  for (int i = 0; i < entries(list); ++i) {
    AclItem* entry = &ACL_DAT(list.acl)[i];
    if (entry->ai_grantee == grantee && entry->ai_grantor == grantor) return entry;
  }
  return nullptr;
}

void remove_entry(AccessList& list, AclItem* entry) {
  AclItem* end = ACL_DAT(list.acl) + entries(list);
  std::move(entry + 1, end, entry);
  ARR_DIMS(list.acl)[0] -= 1;
  SET_VARSIZE(list.acl, ACL_N_SIZE(static_cast<Size>(ACL_NUM(list.acl))));
}

void write_list(const AccessList& list) {
  const bool of_column = list.column != 0;
  Relation catalog =
      table_open(of_column ? AttributeRelationId : RelationRelationId, RowExclusiveLock);
  TupleDesc descriptor = RelationGetDescr(catalog);
  const int place = place_of(list.column) - 1;
  bool is_null;
  const Datum old = heap_getattr(list.row, place + 1, descriptor, &is_null);
  Oid* old_members = nullptr;
  const int old_count = is_null ? 0 : aclmembers(DatumGetAclPCopy(old), &old_members);
  auto* values = static_cast<Datum*>(palloc0(sizeof(Datum) * static_cast<Size>(descriptor->natts)));
  auto* nulls = static_cast<bool*>(palloc0(static_cast<Size>(descriptor->natts)));
  auto* replaced = static_cast<bool*>(palloc0(static_cast<Size>(descriptor->natts)));
  // Null is the default: nobody's right for a column, the owner's rights for a relation.
  nulls[place] = of_column && entries(list) == 0;
  values[place] = PointerGetDatum(list.acl);
  replaced[place] = true;
  HeapTuple row = heap_modify_tuple(list.row, descriptor, values, nulls, replaced);
  CatalogTupleUpdate(catalog, &row->t_self, row);
  Oid* members = nullptr;
  const int count = aclmembers(list.acl, &members);
  updateAclDependencies(RelationRelationId, list.relation, list.column, owner_of(list.relation),
                        old_count, old_members, count, members);
  table_close(catalog, RowExclusiveLock);
  CommandCounterIncrement();
}

}  // namespace anonkit::pg
