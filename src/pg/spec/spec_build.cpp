#include <algorithm>
#include <cstring>

#include "pg/backend/extension.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/session.hpp"
#include "pg/spec/json_values.hpp"
#include "pg/spec/spec_rules.hpp"

extern "C" {
#include "access/htup_details.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "optimizer/optimizer.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {
namespace {

/// The declared input arguments of an SQL function.
struct Arguments {
  char** names;
  Oid* types;
  List* defaults;  ///< expressions of the last arguments
  int count;
};

Arguments arguments_of(Oid function) {
  HeapTuple tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
  if (!HeapTupleIsValid(tuple)) elog(ERROR, "cache lookup failed for function %u", function);
  Arguments arguments;
  char* modes;
  get_func_arg_info(tuple, &arguments.types, &arguments.names, &modes);
  arguments.count = reinterpret_cast<Form_pg_proc>(GETSTRUCT(tuple))->pronargs;
  bool none;
  const Datum defaults = SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_proargdefaults, &none);
  arguments.defaults = none ? NIL : static_cast<List*>(stringToNode(TextDatumGetCString(defaults)));
  ReleaseSysCache(tuple);
  return arguments;
}

/// The arguments of the SQL function of a method; empty without such a function.
Arguments arguments_of_method(const char* method) {
  const Oid function = extension_function(psprintf("anon_%s", method));
  return OidIsValid(function) ? arguments_of(function) : Arguments{};
}

/// The value of a key, alone in an object.
Jsonb* alone(const char* key, Oid type, Datum value) {
  JsonObject json;
  if (type_is_array(type))
    json.add_array(key, DatumGetArrayTypeP(value));
  else
    json.add_datum(key, value, type);
  return json.finish();
}

bool are_equal(Jsonb* a, Jsonb* b) {
  return compareJsonbContainers(&a->root, &b->root) == 0;
}

/// The argument's type; for a polymorphic argument, its type in the call.
Oid type_of_argument(FunctionCallInfo fcinfo, const Arguments& arguments, int i) {
  return arguments.types[i] == ANYELEMENTOID ? get_fn_expr_argtype(fcinfo->flinfo, i)
                                             : arguments.types[i];
}

/// True for the default of an argument. A call without the argument looks the same.
bool is_default(const Arguments& arguments, int i, Jsonb* value) {
  const int place = i - (arguments.count - list_length(arguments.defaults));
  if (place < 0) return false;
  Node* folded =
      eval_const_expressions(nullptr, static_cast<Node*>(list_nth(arguments.defaults, place)));
  if (!IsA(folded, Const)) return false;
  const auto* constant = reinterpret_cast<Const*>(folded);
  return !constant->constisnull &&
         are_equal(alone(arguments.names[i], constant->consttype, constant->constvalue), value);
}

/// The options among the arguments of a call. Plain data.
struct Call {
  Arguments declared;
  Jsonb* stated;    ///< those that are not null and not at their defaults
  Jsonb* defaults;  ///< those at their defaults
  Jsonb* params;    ///< argument params, or empty
  Jsonb* spec;      ///< argument spec, or empty
};

int find_argument(const Arguments& arguments, const char* name) {
  for (int i = 0; i < arguments.count; ++i)
    if (std::strcmp(arguments.names[i], name) == 0) return i;
  return -1;
}

void require_object(const char* name, Jsonb* json) {
  if (JB_ROOT_IS_OBJECT(json)) return;
  ereport(ERROR,
          (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s must be a JSON object", name),
           errhint("For example: %s => anon_spec(standardize => 'range').", name)));
}

/// The object that an argument holds; empty if there is none.
Jsonb* object_argument(FunctionCallInfo fcinfo, const Arguments& declared, const char* name) {
  const int place = find_argument(declared, name);
  if (place < 0 || PG_ARGISNULL(place)) return JsonObject().finish();
  Jsonb* json = DatumGetJsonbP(PG_GETARG_DATUM(place));
  require_object(name, json);
  return with_present_names(json);
}

Call read_call(FunctionCallInfo fcinfo) {
  Jsonb* empty = JsonObject().finish();
  Call call = {arguments_of(fcinfo->flinfo->fn_oid), empty, empty, empty, empty};
  call.spec = object_argument(fcinfo, call.declared, "spec");
  for (int i = 0; i < call.declared.count; ++i) {
    const char* name = call.declared.names[i];
    if (PG_ARGISNULL(i) || !(is_option(name) || is_former_name(name))) continue;
    Jsonb* value = alone(name, type_of_argument(fcinfo, call.declared, i), PG_GETARG_DATUM(i));
    Jsonb*& part = is_default(call.declared, i, value) ? call.defaults : call.stated;
    part = joined(part, value);
  }
  call.stated = with_present_names(call.stated);
  return call;
}

template <class Visit>
void for_each_key(Jsonb* json, const Visit& visit) {
  JsonbIterator* it = JsonbIteratorInit(&json->root);
  char* key;
  JsonbValue value;
  while (next_member(&it, &key, &value)) visit(key);
}

/// True of two spellings of one relation's name.
bool name_one_relation(const char* key, const JsonbValue& a, const JsonbValue& b) {
  return std::strcmp(key, "population") == 0 && a.type == jbvString && b.type == jbvString &&
         relation_named(text_of(a), NoLock) == relation_named(text_of(b), NoLock);
}

/// The members of both objects; an error if they give an option different values.
Jsonb* said_once(Jsonb* first, Jsonb* second) {
  for_each_key(second, [&](const char* key) {
    const JsonbValue* a = value_of_key(first, key);
    const JsonbValue* b = value_of_key(second, key);
    if (a != nullptr && compare_values(*a, *b) != 0 && !name_one_relation(key, *a, *b))
      refuse_two_values(key);
  });
  return joined(first, second);
}

/// The options of a call.
Jsonb* options_of(const Call& call) {
  return joined(call.defaults, said_once(said_once(call.stated, call.params), call.spec));
}

bool declares(const Arguments& function, const char* name) {
  return find_argument(function, name) >= 0;
}

/// Options without effect on a method that does not declare them, and that no later check refuses.
constexpr const char* kOfMethods[] = {
    "variance_of", "categories", "ordered",     "orders", "max_suppression", "coarsen",  "weights",
    "recode",      "nulls",      "hierarchies", "seed",   "standardize",     "protected"};

bool is_of_methods(const char* key) {
  return std::any_of(std::begin(kOfMethods), std::end(kOfMethods),
                     [key](const char* other) { return std::strcmp(key, other) == 0; });
}

/// An option must be an argument of the method's SQL function, or of the caller alone.
void check_option(const Arguments& caller, const char* method, const Arguments& of_method,
                  const char* key) {
  if (declares(of_method, key) || std::strcmp(key, "method") == 0 ||
      (declares(caller, key) && !is_of_methods(key)))
    return;
  StringInfoData known;
  initStringInfo(&known);
  for (int i = 0; i < of_method.count; ++i)
    if (is_option(of_method.names[i]))
      appendStringInfo(&known, "%s%s", known.len > 0 ? ", " : "", of_method.names[i]);
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("method \"%s\" has no parameter \"%s\"", method, key),
                  errhint("Its parameters are: %s.", known.data)));
}

/// The method that options name; null without one of that name.
const char* method_of(Jsonb* options) {
  const JsonbValue* method = value_of_key(options, "method");
  if (method == nullptr || method->type != jbvString) return nullptr;
  const char* name = text_of(*method);
  return find_method(name) != nullptr ? name : nullptr;
}

/// The options of a call of a method's function, or of one that takes a method.
Jsonb* checked_options(const Call& call) {
  Jsonb* options = options_of(call);
  const char* name = method_of(options);
  if (name == nullptr) return options;
  const Arguments of_method = arguments_of_method(name);
  // Releases with a key have decoys, whatever their method.
  const bool has_key = value_of_key(options, "key") != nullptr;
  for (Jsonb* part : {call.stated, call.params, call.spec})
    for_each_key(part, [&](const char* key) {
      if (!has_key || std::strcmp(key, "decoys") != 0)
        check_option(call.declared, name, of_method, key);
    });
  return with_usual_promises(options);
}

}  // namespace

Jsonb* spec_of_release(FunctionCallInfo fcinfo, const char* method) {
  Call call = read_call(fcinfo);
  call.params = object_argument(fcinfo, call.declared, "params");
  if (method != nullptr) {
    JsonObject json;
    json.add("method", method);
    call.stated = joined(call.stated, json.finish());
  }
  return checked_options(call);
}

Jsonb* with_asked_options(Jsonb* options) {
  const JsonbValue* asked = value_of_key(options, "asked");
  if (asked == nullptr || !is_object(*asked)) return options;
  Jsonb* levels = JsonbValueToJsonb(const_cast<JsonbValue*>(asked));
  Jsonb* promises = levels;
  for_each_key(promises, [&](const char* key) {
    if (value_of_key(promises, key)->type == jbvNull)
      ereport(ERROR,
              (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("asked.%s must not be null", key),
               errhint("Give a level, or leave it out.")));
    // Dominance is the name of a model and of its option.
    Jsonb*& other = is_promised(key) && find_model(key) == nullptr ? levels : promises;
    other = without(other, key);
  });
  JsonObject rest;
  rest.add("asked", levels);
  return joined(said_once(options, promises), rest.finish());
}

Jsonb* spec_of_audit(FunctionCallInfo fcinfo) {
  const Call call = read_call(fcinfo);
  Jsonb* options = with_asked_options(options_of(call));
  for_each_key(options, [&](const char* key) {
    if (!is_option(key)) refuse_unknown_option(key);
    if (!declares(call.declared, key) && !is_promised(key)) options = without(options, key);
  });
  return options;
}

Jsonb* spec_of_evaluation(FunctionCallInfo fcinfo, Jsonb* given, Jsonb* params, Jsonb* preferred) {
  const Oid evaluate = extension_function("anon_evaluate");
  if (!OidIsValid(evaluate)) elog(ERROR, "extension \"anonkit\" is not complete");
  Call call = read_call(fcinfo);
  call.declared = arguments_of(evaluate);
  call.stated = joined(call.stated, given);
  require_object("params", params);
  call.params = with_present_names(params);
  const char* method = method_of(options_of(call));
  if (method == nullptr) return checked_options(call);
  const Arguments of_method = arguments_of_method(method);
  for_each_key(preferred, [&](const char* key) {
    if (!declares(of_method, key)) preferred = without(preferred, key);
  });
  call.defaults = joined(call.defaults, preferred);
  return checked_options(call);
}

int argument_place(FunctionCallInfo fcinfo, const char* name) {
  const int place = find_argument(arguments_of(fcinfo->flinfo->fn_oid), name);
  if (place < 0) elog(ERROR, "function %u has no argument \"%s\"", fcinfo->flinfo->fn_oid, name);
  return place;
}

}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_spec) {
  using namespace anonkit::pg;
  Jsonb* spec = read_call(fcinfo).stated;
  check_values(spec);
  PG_RETURN_JSONB_P(spec);
}
