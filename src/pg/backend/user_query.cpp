#include "pg/backend/user_query.hpp"

#include <algorithm>
#include <iterator>

#include "pg/backend/described.hpp"
#include "pg/backend/session.hpp"

extern "C" {
#include "access/transam.h"
#include "catalog/pg_range.h"
#include "parser/parse_coerce.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {
namespace {

/// True if the order and the equality of a type are built-in functions, or missing. A superuser can
/// attach an operator class to any type that has none of its own, such as an enum.
bool has_built_in_functions(Oid type) {
  const TypeCacheEntry* cache =
      lookup_type_cache(type, TYPECACHE_EQ_OPR | TYPECACHE_LT_OPR | TYPECACHE_CMP_PROC |
                                  TYPECACHE_HASH_PROC | TYPECACHE_HASH_EXTENDED_PROC);
  const Oid functions[] = {cache->eq_opr, cache->lt_opr, cache->cmp_proc, cache->hash_proc,
                           cache->hash_extended_proc};
  return std::all_of(std::begin(functions), std::end(functions),
                     [](Oid function) { return function < FirstNormalObjectId; });
}

/// A range is compared by the operator class that it was created with.
bool is_built_in_range(Oid type) {
  HeapTuple tuple = SearchSysCache1(RANGETYPE, ObjectIdGetDatum(type));
  if (!HeapTupleIsValid(tuple)) return false;
  const auto* range = reinterpret_cast<Form_pg_range>(GETSTRUCT(tuple));
  const Oid subtype = range->rngsubtype;
  const bool built_in_order = range->rngsubopc < FirstNormalObjectId;
  ReleaseSysCache(tuple);
  return built_in_order && is_built_in_type(subtype);
}

/// Composite types are compared column by column.
bool is_built_in_composite(Oid type) {
  TupleDesc descriptor = lookup_rowtype_tupdesc_noerror(type, -1, true);
  if (descriptor == nullptr) return false;
  bool built_in = true;
  for (int i = 0; i < descriptor->natts; ++i) {
    const Form_pg_attribute attribute = TupleDescAttr(descriptor, i);
    built_in = built_in && (attribute->attisdropped || is_built_in_type(attribute->atttypid));
  }
  ReleaseTupleDesc(descriptor);
  return built_in;
}

}  // namespace

UserQuery begin_user_query() {
  UserQuery query = {};
  initStringInfo(&query.text);
  appendStringInfoString(&query.text, "SELECT");
  return query;
}

void add_expression(UserQuery& query, const char* expression) {
  appendStringInfo(&query.text, "%s %s", query.columns++ > 0 ? "," : "", expression);
}

void add_column(UserQuery& query, const char* name) {
  add_expression(query, psprintf("source.%s", quote_identifier(name)));
}

char* end_user_query(UserQuery& query, const char* rows) {
  appendStringInfo(&query.text, " FROM %s AS source", rows);
  return query.text.data;
}

char* end_user_query(UserQuery& query, Oid relation) {
  return end_user_query(query, described_name_of(relation));
}

char* column_places(int first, int count) {
  StringInfoData places;
  initStringInfo(&places);
  for (int i = 0; i < count; ++i) appendStringInfo(&places, "%s%d", i > 0 ? ", " : "", first + i);
  return places.data;
}

bool is_built_in_type(Oid type) {
  check_stack_depth();
  type = getBaseType(type);
  if (!has_built_in_functions(type)) return false;
  if (type < FirstNormalObjectId) return type != RECORDOID;
  const Oid element = get_element_type(type);
  if (OidIsValid(element)) return is_built_in_type(element);
  if (type_is_enum(type)) return true;
  if (type_is_range(type)) return is_built_in_range(type);
  if (type_is_multirange(type)) return is_built_in_range(get_multirange_range(type));
  return type_is_rowtype(type) && is_built_in_composite(type);
}

char* output_of(Oid type, Datum value) {
  Oid output;
  bool is_varlena;
  getTypeOutputInfo(type, &output, &is_varlena);
  return OidOutputFunctionCall(output, value);
}

Datum cast_to_text(Oid type, Datum value) {
  type = getBaseType(type);
  Oid function = InvalidOid;
  const CoercionPathType path = find_coercion_pathway(TEXTOID, type, COERCION_EXPLICIT, &function);
  if (path == COERCION_PATH_RELABELTYPE && type < FirstNormalObjectId) return value;
  if (path == COERCION_PATH_FUNC && function < FirstNormalObjectId)
    return OidFunctionCall1(function, value);
  return CStringGetTextDatum(output_of(type, value));
}

void require_built_in_type(const char* column, Oid type) {
  if (is_built_in_type(type)) return;
  ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                  errmsg("values of column \"%s\" of type %s cannot be compared", column,
                         format_type_be(type)),
                  errdetail("The type is not built in: comparing its values would run functions "
                            "of its owner."),
                  errhint("Cast the column to a built-in type in a view.")));
}

}  // namespace anonkit::pg
