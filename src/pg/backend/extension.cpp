#include "pg/backend/extension.hpp"

#include <cstring>

#include "pg/backend/owners_work.hpp"

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

bool is_member(Oid function) {
  const Oid extension = get_extension_oid("anonkit", true);
  return OidIsValid(extension) && getExtensionOfObject(ProcedureRelationId, function) == extension;
}

/// The owner of the functions that the extension's script makes. Whoever owns the extension can add
/// functions of their own to it.
Oid owner_of_function(Oid function) {
  return owner_in(PROCOID, Anum_pg_proc_proowner, function);
}

/// The first function of a name that passes a test; InvalidOid without one.
template <class Test>
Oid find_function(const char* name, Test&& passes) {
  Oid found = InvalidOid;
  CatCList* candidates = SearchSysCacheList1(PROCNAMEARGSNSP, CStringGetDatum(name));
  for (int i = 0; i < candidates->n_members && !OidIsValid(found); ++i) {
    HeapTuple tuple = &candidates->members[i]->tuple;
    const Oid function = reinterpret_cast<Form_pg_proc>(GETSTRUCT(tuple))->oid;
    if (passes(function)) found = function;
  }
  ReleaseSysCacheList(candidates);
  return found;
}

}  // namespace

bool is_extension_function(Oid function, const char* symbol) {
  HeapTuple tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
  if (!HeapTupleIsValid(tuple)) return false;
  const bool found = has_symbol(tuple, symbol);
  ReleaseSysCache(tuple);
  return found && is_member(function);
}

Oid extension_function(const char* symbol) {
  return find_function(symbol,
                       [symbol](Oid function) { return is_extension_function(function, symbol); });
}

Oid extension_function_named(const char* name) {
  const Oid owner = owner_of_function(extension_function("anon_release_info"));
  const Oid found = find_function(name, [owner](Oid function) {
    return is_member(function) && owner_of_function(function) == owner;
  });
  if (!OidIsValid(found)) elog(ERROR, "extension \"anonkit\" has no function %s", name);
  return found;
}

char* extension_schema() {
  const Oid function = extension_function("anon_release_info");
  if (!OidIsValid(function)) elog(ERROR, "extension \"anonkit\" is not complete");
  return pstrdup(quote_identifier(get_namespace_name(get_func_namespace(function))));
}

}  // namespace anonkit::pg
