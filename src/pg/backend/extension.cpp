#include "pg/backend/extension.hpp"

#include <cstring>

extern "C" {
#include "catalog/dependency.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "commands/extension.h"
#include "utils/catcache.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {
namespace {

bool has_symbol(HeapTuple function, const char* symbol) {
  if (reinterpret_cast<Form_pg_proc>(GETSTRUCT(function))->prolang != ClanguageId) return false;
  bool is_null;
  const Datum source = SysCacheGetAttr(PROCOID, function, Anum_pg_proc_prosrc, &is_null);
  return !is_null && std::strcmp(TextDatumGetCString(source), symbol) == 0;
}

}  // namespace

bool is_extension_function(Oid function, const char* symbol) {
  HeapTuple tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
  if (!HeapTupleIsValid(tuple)) return false;
  const bool found = has_symbol(tuple, symbol);
  ReleaseSysCache(tuple);
  const Oid extension = get_extension_oid("anonkit", true);
  return found && OidIsValid(extension) &&
         getExtensionOfObject(ProcedureRelationId, function) == extension;
}

Oid extension_function(const char* symbol) {
  Oid found = InvalidOid;
  CatCList* candidates = SearchSysCacheList1(PROCNAMEARGSNSP, CStringGetDatum(symbol));
  for (int i = 0; i < candidates->n_members && !OidIsValid(found); ++i) {
    HeapTuple tuple = &candidates->members[i]->tuple;
    const Oid function = reinterpret_cast<Form_pg_proc>(GETSTRUCT(tuple))->oid;
    if (is_extension_function(function, symbol)) found = function;
  }
  ReleaseSysCacheList(candidates);
  return found;
}

char* extension_schema() {
  const Oid function = extension_function("anon_release_info");
  if (!OidIsValid(function)) elog(ERROR, "extension \"anonkit\" is not complete");
  return pstrdup(quote_identifier(get_namespace_name(get_func_namespace(function))));
}

}  // namespace anonkit::pg
