#include "pg/over_time/view_query.hpp"

#include <cstring>

#include "pg/backend/extension.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/distributed_query.hpp"
#include "pg/read/stored_query.hpp"
#include "pg/spec/json_values.hpp"

extern "C" {
#include "nodes/makefuncs.h"
#include "parser/scansup.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {
namespace {

constexpr char kFunction[] = "anon_release_spec";
constexpr int kArguments = 2, kOldArguments = 4;

/// The name of the shown column of the places; null for a system column, or anything else.
const char* shown_column(const TargetEntry* target, Oid places) {
  if (target->resjunk || !IsA(target->expr, Var)) return nullptr;
  const auto* column = reinterpret_cast<const Var*>(target->expr);
  return column->varattno > 0 ? get_attname(places, column->varattno, true) : nullptr;
}

/// The columns that a spec publishes. Plain data.
struct PublishedNames {
  Jsonb* spec;

  const JsonbContainer* list(const char* key) const {
    const JsonbValue* value = value_of_key(spec, key);
    return value != nullptr && value->type == jbvBinary &&
                   JsonContainerIsArray(value->val.binary.data)
               ? value->val.binary.data
               : nullptr;
  }
  int count() const {
    int names = 0;
    for (const char* key : kLists)
      if (const JsonbContainer* names_of_key = list(key))
        names += static_cast<int>(JsonContainerSize(names_of_key));
    return names;
  }
  bool has(const char* column) const {
    for (const char* key : kLists)
      if (const JsonbContainer* names = list(key))
        for (uint32 i = 0; i < JsonContainerSize(names); ++i)
          if (is_name(*getIthJsonbValueFromContainer(const_cast<JsonbContainer*>(names), i),
                      column))
            return true;
    return false;
  }

 private:
  static constexpr const char* kLists[] = {"qi", "sensitive", "keep"};

  /// As find_column: the name itself, or folded to lower case.
  static bool is_name(const JsonbValue& value, const char* column) {
    if (value.type != jbvString) return false;
    const char* name = text_of(value);
    return std::strcmp(name, column) == 0 ||
           std::strcmp(
               downcase_truncate_identifier(name, static_cast<int>(std::strlen(name)), false),
               column) == 0;
  }
};

bool shows_weight(Jsonb* spec) {
  // "weight" is the older name. Nothing may fail here: anybody can make such a view.
  for (const char* key : {"weight_column", "weight"}) {
    const JsonbValue* shown = value_of_key(spec, key);
    if (shown != nullptr && shown->type == jbvBool && !shown->val.boolean) return false;
  }
  return true;
}

/// True if a query shows the columns of the spec, each once and in the order of the places, and
/// then the weight, if it is wanted. Otherwise the proof would not describe the view.
bool shows_spec(const Query* query, Oid places, Jsonb* spec) {
  if (!JB_ROOT_IS_OBJECT(spec)) return false;
  const PublishedNames published = {spec};
  const int names = published.count();
  if (list_length(query->targetList) != names + (shows_weight(spec) ? 1 : 0)) return false;
  AttrNumber before = 0;
  for (int i = 0; i < list_length(query->targetList); ++i) {
    const auto* target = list_nth_node(TargetEntry, query->targetList, i);
    const char* column = shown_column(target, places);
    if (column == nullptr) return false;
    if (i == names) return std::strcmp(column, "anon_weight") == 0;
    const AttrNumber number = reinterpret_cast<const Var*>(target->expr)->varattno;
    if (number <= before || !published.has(column)) return false;
    before = number;
  }
  return true;
}

/// The two parts of a condition; NIL if it has others.
const List* two_conditions(const Query* query) {
  const Node* quals = query->jointree->quals;
  if (quals == nullptr || !IsA(quals, BoolExpr)) return NIL;
  const auto* both = reinterpret_cast<const BoolExpr*>(quals);
  return both->boolop == AND_EXPR && list_length(both->args) == 2 ? both->args : NIL;
}

/// True for `places.anon_until IS NULL` in the first part of the condition.
bool tests_until(const Query* query, Oid places) {
  const auto* node = static_cast<const Node*>(linitial(two_conditions(query)));
  if (!IsA(node, NullTest)) return false;
  const auto* test = reinterpret_cast<const NullTest*>(node);
  if (test->nulltesttype != IS_NULL || !IsA(test->arg, Var)) return false;
  const char* name = get_attname(places, reinterpret_cast<const Var*>(test->arg)->varattno, true);
  return name != nullptr && std::strcmp(name, "anon_until") == 0;
}

/// The call of anon_release_spec in the second part of the condition; else null.
const FuncExpr* spec_call(const Query* query) {
  const List* conditions = two_conditions(query);
  if (conditions == NIL) return nullptr;
  const auto* call = static_cast<const Node*>(lsecond(conditions));
  if (!IsA(call, FuncExpr)) return nullptr;
  const auto* function = reinterpret_cast<const FuncExpr*>(call);
  return is_extension_function(function->funcid, kFunction) ? function : nullptr;
}

}  // namespace

namespace {

/// Reads the parts of a query; false if it has others. Its columns may be any.
bool read_parts(Oid relation, const Query* query, OverTimeQuery& release) {
  if (query == nullptr || !is_plain(query)) return false;
  release.places = only_table(query);
  if (!OidIsValid(release.places)) return false;
  const FuncExpr* call = spec_call(query);
  if (call == nullptr) return false;
  const int count = list_length(call->args);
  if (count != kArguments && count != kOldArguments) return false;
  const Const* arguments[kOldArguments] = {};
  for (int i = 0; i < count; ++i) {
    arguments[i] = constant_at(call->args, i, i == 1 ? JSONBOID : REGCLASSOID);
    if (arguments[i] == nullptr) return false;
  }
  release.relation = relation;
  release.source = DatumGetObjectId(arguments[0]->constvalue);
  release.spec = DatumGetJsonbPCopy(arguments[1]->constvalue);
  const bool old = count == kOldArguments;
  release.waiting = old ? DatumGetObjectId(arguments[2]->constvalue) : InvalidOid;
  release.secret = old ? DatumGetObjectId(arguments[3]->constvalue) : InvalidOid;
  return get_rel_name(release.source) != nullptr;
}

bool is_sound(const Query* query, const OverTimeQuery& release) {
  return tests_until(query, release.places) && shows_spec(query, release.places, release.spec);
}

}  // namespace

bool read_over_time(Oid relation, OverTimeQuery& release) {
  const Query* query = stored_query(relation, RELKIND_VIEW);
  return read_parts(relation, query, release) && is_sound(query, release);
}

bool read_any_release(Oid relation, ReleaseQuery& query) {
  OverTimeQuery over_time;
  DistributedQuery distributed;
  if (read_over_time(relation, over_time))
    query = {over_time.source, over_time.spec};
  else if (read_distributed(relation, distributed))
    query = {distributed.source, distributed.spec};
  else
    return read_release(relation, query);
  return true;
}

bool shows_other_columns(Oid relation, OverTimeQuery& release) {
  const Query* query = stored_query(relation, RELKIND_VIEW);
  return read_parts(relation, query, release) && !is_sound(query, release);
}

char* over_time_query(const Source& source, bool weight, const OverTimeQuery& release) {
  const Oid function = extension_function(kFunction);
  if (!OidIsValid(function)) elog(ERROR, "extension \"anonkit\" has no function %s", kFunction);
  const SourceColumn** columns = released_columns(source);
  StringInfoData query;
  initStringInfo(&query);
  appendStringInfoString(&query, "SELECT ");
  for (int i = 0; i < source.count; ++i)
    appendStringInfo(&query, "%splaces.%s", i > 0 ? ", " : "", quote_identifier(columns[i]->name));
  if (weight) appendStringInfoString(&query, ", places.anon_weight AS weight");
  appendStringInfo(
      &query,
      " FROM %s AS places WHERE places.anon_until IS NULL AND %s(%s::pg_catalog.regclass,"
      " %s::pg_catalog.jsonb)",
      qualified_name_of(release.places),
      quote_qualified_identifier(get_namespace_name(get_func_namespace(function)),
                                 get_func_name(function)),
      quote_literal_cstr(source.qualified_name),
      quote_literal_cstr(JsonbToCString(nullptr, &release.spec->root, VARSIZE(release.spec))));
  return query.data;
}

}  // namespace anonkit::pg

/// Always true; its arguments describe a release over time completely.
ANONKIT_FUNCTION(anon_release_spec) {
  PG_RETURN_BOOL(true);
}
