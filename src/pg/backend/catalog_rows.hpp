#pragma once

#include <type_traits>

#include "pg/backend/pg.hpp"

extern "C" {
#include "access/genam.h"
#include "access/skey.h"
#include "catalog/indexing.h"
#include "catalog/pg_depend.h"
#include "utils/fmgroids.h"
#include "utils/snapshot.h"
}

namespace anonkit::pg {

/// The key of the rows that have this OID in a column.
inline ScanKeyData oid_key(AttrNumber column, Oid value) {
  ScanKeyData key;
  ScanKeyInit(&key, column, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(value));
  return key;
}

/// Calls `use` for each row of a catalog that the keys select.
///
/// @param Form     the fixed columns of a row, as FormData_pg_depend.
/// @param index    whose first columns are those of the keys; InvalidOid: reads the whole catalog.
/// @param use      void(const Form&); has no destructor, since an error of the server may skip it.
/// @param snapshot null: the newest state.
template <class Form, class Use>
void for_catalog_rows(Oid catalog, Oid index, ScanKeyData* keys, int count, Use use,
                      Snapshot snapshot = nullptr) {
  static_assert(std::is_trivially_destructible<Use>::value, "an error may skip it");
  Relation relation = table_open(catalog, AccessShareLock);
  SysScanDesc scan = systable_beginscan(relation, index, OidIsValid(index), snapshot, count, keys);
  while (HeapTuple tuple = systable_getnext(scan)) {
    CHECK_FOR_INTERRUPTS();
    use(*reinterpret_cast<const Form*>(GETSTRUCT(tuple)));
  }
  systable_endscan(scan);
  table_close(relation, AccessShareLock);
}

/// Calls `use` for each dependency on an object of a catalog, as for_catalog_rows does.
template <class Use>
void for_dependents(Oid catalog, Oid object, Use use) {
  ScanKeyData keys[] = {oid_key(Anum_pg_depend_refclassid, catalog),
                        oid_key(Anum_pg_depend_refobjid, object)};
  for_catalog_rows<FormData_pg_depend>(DependRelationId, DependReferenceIndexId, keys, 2, use);
}

}  // namespace anonkit::pg
