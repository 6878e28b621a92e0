#include "pg/backend/catalog_version.hpp"

#include <cstring>

#include "pg/backend/catalog_rows.hpp"

extern "C" {
#include "catalog/dependency.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_proc.h"
#include "commands/extension.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
}

namespace anonkit::pg {
namespace {

/// The version of an extension in this database, or null.
char* version_of(Oid extension) {
  Relation catalog = table_open(ExtensionRelationId, AccessShareLock);
  ScanKeyData key = oid_key(Anum_pg_extension_oid, extension);
  SysScanDesc scan = systable_beginscan(catalog, ExtensionOidIndexId, true, nullptr, 1, &key);
  char* version = nullptr;
  HeapTuple tuple = systable_getnext(scan);
  bool null = true;
  if (HeapTupleIsValid(tuple)) {
    const Datum value =
        heap_getattr(tuple, Anum_pg_extension_extversion, RelationGetDescr(catalog), &null);
    if (!null) version = TextDatumGetCString(value);
  }
  systable_endscan(scan);
  table_close(catalog, AccessShareLock);
  return version;
}

bool is_exempt(Oid function) {
  const char* name = get_func_name(function);
  return name != nullptr && std::strcmp(name, "anon_release") == 0;
}

}  // namespace

void require_current_catalog(FunctionCallInfo fcinfo) {
  static bool agrees = false;
  // A script of the extension may call functions before it has the new version.
  if (agrees || creating_extension || fcinfo->flinfo == nullptr) return;
  const Oid function = fcinfo->flinfo->fn_oid;
  const Oid extension = getExtensionOfObject(ProcedureRelationId, function);
  if (!OidIsValid(extension) || is_exempt(function)) return;
  const char* version = version_of(extension);
  agrees = version != nullptr && std::strcmp(version, ANONKIT_VERSION) == 0;
  if (!agrees)
    ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                    errmsg("the library of anonkit has version %s, the extension in this database "
                           "version %s",
                           ANONKIT_VERSION, version == nullptr ? "unknown" : version),
                    errhint("Update the extension: ALTER EXTENSION anonkit UPDATE.")));
}

}  // namespace anonkit::pg
