#include "pg/release/set_query.hpp"

#include <algorithm>
#include <cstring>

#include "pg/backend/extension.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/stored_query.hpp"
#include "pg/spec/json_values.hpp"

extern "C" {
#include "catalog/pg_namespace.h"
#include "utils/numeric.h"
#include "utils/syscache.h"
}

namespace anonkit::pg {
namespace {

constexpr char kSpecFunction[] = "anon_set_spec";
constexpr int kSpecArguments = 3;

void append_tables(StringInfo text, const NamedTables& tables, const char* separator) {
  for (int i = 0; i < tables.count; ++i)
    appendStringInfo(text, "%s%s::pg_catalog.regclass", i > 0 ? ", " : separator,
                     quote_literal_cstr(qualified_name_of(tables.tables[i])));
}

/// The only expression of a SELECT without FROM; null for any other query.
const FuncExpr* only_call(const Query* query) {
  if (query == nullptr || query->commandType != CMD_SELECT || query->jointree->fromlist != NIL ||
      query->hasSubLinks || query->jointree->quals != nullptr || query->setOperations != nullptr ||
      query->cteList != NIL || list_length(query->targetList) != 1)
    return nullptr;
  const auto* expression = linitial_node(TargetEntry, query->targetList)->expr;
  if (!IsA(expression, FuncExpr)) return nullptr;
  const auto* call = reinterpret_cast<const FuncExpr*>(expression);
  return is_extension_function(call->funcid, kSpecFunction) &&
                 list_length(call->args) == kSpecArguments
             ? call
             : nullptr;
}

/// Reads an array of relations that exist.
bool read_existing(const FuncExpr* call, int place, NamedTables& tables) {
  if (!tables_at(call->args, place, tables)) return false;
  for (int i = 0; i < tables.count; ++i) {
    CHECK_FOR_INTERRUPTS();
    if (get_rel_name(tables.tables[i]) == nullptr) return false;
  }
  return true;
}

/// Sets have each table once: a view with many more than sets have would slow every publication.
bool are_distinct(const NamedTables& tables) {
  auto* sorted = allocate<Oid>(tables.count);
  std::copy_n(tables.tables, tables.count, sorted);
  std::sort(sorted, sorted + tables.count);
  return std::adjacent_find(sorted, sorted + tables.count) == sorted + tables.count;
}

/// The options by place; null if the spec has others.
Jsonb* options_at(const SetQuery& set, int table) {
  const JsonbValue* tables = value_of_key(set.spec, "tables");
  if (tables == nullptr || !is_object(*tables)) return nullptr;
  const JsonbValue* options =
      value_of_key(JsonbValueToJsonb(const_cast<JsonbValue*>(tables)), psprintf("%d", table + 1));
  if (options == nullptr || !is_object(*options)) return nullptr;
  Jsonb* json = JsonbValueToJsonb(const_cast<JsonbValue*>(options));
  return names_all_tables(json, set.labels) ? json : nullptr;
}

/// The place of the parent that the options name, from 0; -1 without one, and -2 for what anonkit
/// would not have written.
int parent_in(Jsonb* options, int tables) {
  const JsonbValue* parent = value_of_key(options, "parent");
  if (parent == nullptr) return -1;
  if (parent->type != jbvNumeric) return -2;
  const Datum place =
      DirectFunctionCall1(numeric_float8_no_overflow, NumericGetDatum(parent->val.numeric));
  for (int t = 0; t < tables; ++t)
    if (DatumGetFloat8(place) == t + 1) return t;
  return -2;
}

bool has_sound_options(const SetQuery& set) {
  if (!JB_ROOT_IS_OBJECT(set.spec)) return false;
  for (int t = 0; t < set.sources.count; ++t) {
    CHECK_FOR_INTERRUPTS();
    Jsonb* options = options_at(set, t);
    if (options == nullptr || parent_in(options, set.sources.count) < -1) return false;
  }
  return true;
}

/// True if a table is one that the view's owner could have published with it.
bool is_released_beside(Oid table, const SetQuery& set) {
  return get_rel_relkind(table) == RELKIND_RELATION && get_rel_namespace(table) == set.schema &&
         owner_of(table) == owner_of(set.description);
}

}  // namespace

char* set_query(const SetQuery& set) {
  const Oid function = extension_function(kSpecFunction);
  if (!OidIsValid(function)) elog(ERROR, "extension \"anonkit\" has no function %s", kSpecFunction);
  StringInfoData query;
  initStringInfo(&query);
  appendStringInfo(&query, "SELECT %s(ARRAY[",
                   quote_qualified_identifier(get_namespace_name(get_func_namespace(function)),
                                              get_func_name(function)));
  append_tables(&query, set.sources, "");
  append_tables(&query, set.labels, ", ");
  appendStringInfoString(&query, "], ARRAY[");
  append_tables(&query, set.released, "");
  appendStringInfo(&query, "], %s::pg_catalog.jsonb) AS released",
                   quote_literal_cstr(JsonbToCString(nullptr, &set.spec->root, VARSIZE(set.spec))));
  return query.data;
}

bool read_set_query(Oid relation, SetQuery& set) {
  const FuncExpr* call = only_call(stored_query(relation, RELKIND_VIEW));
  if (call == nullptr) return false;
  const Const* spec = constant_at(call->args, 2, JSONBOID);
  set = {relation, get_rel_namespace(relation), {}, {}, {}, nullptr};
  if (spec == nullptr || !read_existing(call, 0, set.sources) ||
      !read_existing(call, 1, set.released))
    return false;
  const int tables = set.released.count;
  if (tables == 0 || tables > kMostTables || set.sources.count < tables) return false;
  set.labels = {set.sources.tables + tables, set.sources.count - tables};
  set.sources.count = tables;
  for (const NamedTables& named : {set.sources, set.released, set.labels})
    if (!are_distinct(named)) return false;
  const Oid owner = owner_in(NAMESPACEOID, Anum_pg_namespace_nspowner, set.schema);
  if (owner != owner_of(relation)) return false;
  for (int t = 0; t < tables; ++t)
    if (!is_released_beside(set.released.tables[t], set)) return false;
  set.spec = DatumGetJsonbPCopy(spec->constvalue);
  return has_sound_options(set);
}

Jsonb* placed_options(Jsonb* options, int parent, NamedTables& labels) {
  Jsonb* placed = places_for_tables(options, labels);
  if (value_of_key(placed, "parent") == nullptr) return placed;
  JsonObject place;
  place.add("parent", int64{parent} + 1);
  return joined(placed, place.finish());
}

namespace {

bool contains(const Names& names, const char* name) {
  return std::any_of(names.names, names.names + names.count,
                     [name](const char* one) { return std::strcmp(one, name) == 0; });
}

/// The names of both lists; null if there are none.
ArrayType* names_at(Jsonb* options, const char* key, const char* more_key) {
  Names all = {nullptr, 0};
  for (const char* at : {key, more_key}) {
    const JsonbValue* value = value_of_key(options, at);
    if (value == nullptr) continue;
    const Names own = names_of(at, *value);
    Names both = {allocate<char*>(int64{all.count} + own.count), all.count};
    std::copy_n(all.names, all.count, both.names);
    for (int i = 0; i < own.count; ++i)
      if (!contains(all, own.names[i])) both.names[both.count++] = own.names[i];
    all = both;
  }
  return all.count == 0 ? nullptr : text_array(all);
}

}  // namespace

Jsonb* audited_tables(const SetQuery& set) {
  JsonObject all;
  for (int t = 0; t < set.sources.count; ++t) {
    Jsonb* placed = options_at(set, t);
    JsonObject options;
    if (ArrayType* qi = names_at(placed, "qi", "since_first"); qi != nullptr)
      options.add_array("qi", qi);
    for (const char* key : {"sensitive", "parent_key", "key", "person", "person_key"})
      if (const JsonbValue* value = value_of_key(placed, key); value != nullptr)
        options.add_value(key, value);
    if (value_of_key(placed, "protected") != nullptr) {
      Jsonb* named = names_for_tables(placed, set.labels);
      for (const char* key : {"protected", "hierarchies"})
        if (const JsonbValue* value = value_of_key(named, key); value != nullptr)
          options.add_value(key, value);
    }
    const int parent = parent_in(placed, set.sources.count);
    if (parent >= 0) options.add("parent", relation_name(set.released.tables[parent]));
    all.add(relation_name(set.released.tables[t]), options.finish());
  }
  return all.finish();
}

bool audits_labels(const SetQuery& set) {
  for (int t = 0; t < set.sources.count; ++t)
    if (value_of_key(options_at(set, t), "protected") != nullptr) return set.labels.count > 0;
  return false;
}

Jsonb* described_tables(const SetQuery& set) {
  JsonObject all;
  for (int t = 0; t < set.sources.count; ++t) {
    Jsonb* placed = options_at(set, t);
    Jsonb* options = names_for_tables(placed, set.labels);
    const int parent = parent_in(placed, set.sources.count);
    if (parent >= 0) {
      JsonObject name;
      name.add("parent", qualified_name_of(set.sources.tables[parent]));
      options = joined(options, name.finish());
    }
    all.add(qualified_name_of(set.sources.tables[t]), options);
  }
  return all.finish();
}

Jsonb* described_set(const SetQuery& set) {
  JsonObject tables;
  tables.add("tables", described_tables(set));
  return joined(set.spec, tables.finish());
}

}  // namespace anonkit::pg

/// Always true; its arguments describe a set completely.
ANONKIT_FUNCTION(anon_set_spec) {
  PG_RETURN_BOOL(true);
}
