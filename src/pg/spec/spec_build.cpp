#include <algorithm>
#include <cstring>

#include "pg/backend/extension.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/spec/spec.hpp"

extern "C" {
#include "access/htup_details.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "utils/fmgrprotos.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {
namespace {

/// The declared input arguments of an SQL function.
struct Arguments {
  char** names;
  Oid* types;
  int count;
};

Arguments arguments_of(HeapTuple function) {
  char* modes;
  Arguments arguments;
  get_func_arg_info(function, &arguments.types, &arguments.names, &modes);
  arguments.count = reinterpret_cast<Form_pg_proc>(GETSTRUCT(function))->pronargs;
  return arguments;
}

Arguments arguments_of(Oid function) {
  HeapTuple tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
  if (!HeapTupleIsValid(tuple)) elog(ERROR, "cache lookup failed for function %u", function);
  const Arguments arguments = arguments_of(tuple);
  ReleaseSysCache(tuple);
  return arguments;
}

/// The arguments of the SQL function of a method; empty without such a function.
Arguments arguments_of_method(const char* method) {
  const Oid function = extension_function(psprintf("anon_%s", method));
  return OidIsValid(function) ? arguments_of(function) : Arguments{nullptr, nullptr, 0};
}

void add_argument(JsonObject& json, const char* name, Oid type, Datum value) {
  if (type_is_array(type))
    json.add_array(name, DatumGetArrayTypeP(value));
  else
    json.add_datum(name, value, type);
}

/// The argument's type; for a polymorphic argument, its type in the call.
Oid type_of_argument(FunctionCallInfo fcinfo, const Arguments& arguments, int i) {
  return arguments.types[i] == ANYELEMENTOID ? get_fn_expr_argtype(fcinfo->flinfo, i)
                                             : arguments.types[i];
}

/// Arguments without effect on a method that does not declare them, and that no later check
/// refuses.
constexpr const char* kOfMethods[] = {"variance_of", "categories",      "ordered",
                                      "orders",      "max_suppression", "coarsen"};

bool declares(const Arguments& function, const char* name) {
  return std::any_of(function.names, function.names + function.count,
                     [name](const char* other) { return std::strcmp(name, other) == 0; });
}

/// True for an argument that only the caller, anon_publish or anon_evaluate, declares.
bool is_callers_own(const Arguments& caller, const char* name) {
  return !may_be_in_params(name) && declares(caller, name);
}

/// A parameter must be an argument of the method's own SQL function.
void check_parameter(const Arguments& method, const char* method_name, const Arguments& caller,
                     const char* name) {
  if (is_callers_own(caller, name))
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("parameter \"%s\" is an argument of its own", name),
                    errhint("Give it outside of params.")));
  StringInfoData known;
  initStringInfo(&known);
  for (int i = 0; i < method.count; ++i) {
    if (std::strcmp(method.names[i], "tbl") == 0 || is_callers_own(caller, method.names[i]))
      continue;
    if (std::strcmp(method.names[i], name) == 0) return;
    appendStringInfo(&known, "%s%s", known.len > 0 ? ", " : "", method.names[i]);
  }
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("method \"%s\" has no parameter \"%s\"", method_name, name),
                  errhint("Its parameters are: %s.", known.data)));
}

/// Compares two values of one key; the scale of numbers does not matter.
bool are_equal(const char* key, JsonbValue a, JsonbValue b) {
  JsonObject first;
  JsonObject second;
  first.add_value(key, &a);
  second.add_value(key, &b);
  return compareJsonbContainers(&first.finish()->root, &second.finish()->root) == 0;
}

/// True for an empty list, the default of an argument.
bool is_empty_list(const JsonbValue& value) {
  return value.type == jbvBinary && JsonContainerIsArray(value.val.binary.data) &&
         JsonContainerSize(value.val.binary.data) == 0;
}

/// An error if both places give the argument different values.
void check_said_once(Jsonb* given, const char* name, const JsonbValue& value) {
  const JsonbValue* argument = value_of_key(given, name);
  if (argument == nullptr || is_empty_list(*argument) || are_equal(name, *argument, value)) return;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("\"%s\" is given twice, with different values", name),
                  errhint("Give it as an argument or in params, not both.")));
}

void check_parameters(Jsonb* params, Jsonb* given, const char* method, const Arguments& declared,
                      const Arguments& caller) {
  if (!JB_ROOT_IS_OBJECT(params))
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("params must be a JSON object"),
             errhint("For example: params => '{\"standardize\": \"range\"}'.")));
  JsonbIterator* it = JsonbIteratorInit(&params->root);
  JsonbValue key;
  JsonbValue value;
  JsonbIteratorToken token;
  while ((token = JsonbIteratorNext(&it, &key, true)) != WJB_DONE) {
    if (token != WJB_KEY) continue;
    const char* name = pnstrdup(key.val.string.val, static_cast<std::size_t>(key.val.string.len));
    check_parameter(declared, method, caller, name);
    JsonbIteratorNext(&it, &value, true);
    check_said_once(given, name, value);
  }
}

/// True except for arguments that name relations or roles or control an attack, and for params,
/// whose contents count.
bool is_about_content(const char* name) {
  for (const char* other : {"tbl", "rel", "source", "release", "params", "grant_to", "frontier",
                            "classes", "arrangements", "by_column", "population"})
    if (std::strcmp(name, other) == 0) return false;
  return true;
}

}  // namespace

Jsonb* spec_of_arguments(FunctionCallInfo fcinfo, const char* method) {
  const Arguments arguments = arguments_of(fcinfo->flinfo->fn_oid);
  JsonObject json;
  if (method != nullptr) json.add("method", method);
  for (int i = 0; i < arguments.count; ++i)
    if (!PG_ARGISNULL(i) && is_about_content(arguments.names[i]))
      add_argument(json, arguments.names[i], type_of_argument(fcinfo, arguments, i),
                   PG_GETARG_DATUM(i));
  return json.finish();
}

int argument_place(FunctionCallInfo fcinfo, const char* name) {
  const Arguments arguments = arguments_of(fcinfo->flinfo->fn_oid);
  for (int i = 0; i < arguments.count; ++i)
    if (std::strcmp(arguments.names[i], name) == 0) return i;
  elog(ERROR, "function %u has no argument \"%s\"", fcinfo->flinfo->fn_oid, name);
  pg_unreachable();
}

namespace {

/// The arguments of a call with the object params flattened into them. Declared are those of the
/// caller, anon_publish or anon_evaluate.
Jsonb* with_params(const Arguments& caller, Jsonb* given, const char* method, Jsonb* params) {
  if (find_method(method) == nullptr) return given;
  const Arguments declared = arguments_of_method(method);
  for (const char* name : kOfMethods)
    if (value_of_key(given, name) != nullptr) check_parameter(declared, method, caller, name);
  check_parameters(params, given, method, declared, caller);
  return DatumGetJsonbP(
      DirectFunctionCall2(jsonb_concat, JsonbPGetDatum(given), JsonbPGetDatum(params)));
}

}  // namespace

Jsonb* spec_of_release(FunctionCallInfo fcinfo) {
  Jsonb* given = spec_of_arguments(fcinfo, nullptr);
  const int method = argument_place(fcinfo, "method");
  const int params = argument_place(fcinfo, "params");
  if (PG_ARGISNULL(method) || PG_ARGISNULL(params)) return given;
  return with_params(arguments_of(fcinfo->flinfo->fn_oid), given,
                     TextDatumGetCString(PG_GETARG_DATUM(method)),
                     DatumGetJsonbP(PG_GETARG_DATUM(params)));
}

Jsonb* spec_of_evaluation(Jsonb* given, const char* method, Jsonb* params) {
  const Oid evaluate = extension_function("anon_evaluate");
  if (!OidIsValid(evaluate)) elog(ERROR, "extension \"anonkit\" is not complete");
  return with_params(arguments_of(evaluate), given, method, params);
}

}  // namespace anonkit::pg
