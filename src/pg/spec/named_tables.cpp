#include "pg/spec/named_tables.hpp"

#include <cmath>
#include <cstring>

#include "pg/backend/session.hpp"
#include "pg/spec/hierarchy_rule.hpp"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace anonkit::pg {
namespace {

/// Translates the value of a hierarchy's key "table", or of "population".
using Translate = JsonbValue (*)(const JsonbValue& table, NamedTables& tables);

bool is_key(const JsonbValue& key, const char* name) {
  return std::strcmp(text_of(key), name) == 0;
}

/// Copies the spec, translating hierarchies.COLUMN.table and population.
Jsonb* translated(Jsonb* spec, NamedTables& tables, Translate translate) {
  constexpr int kDepth = 3;  // of the objects: spec, hierarchies, hierarchy
  JsonbParseState* state = nullptr;
  JsonbValue* root = nullptr;
  JsonbIterator* it = JsonbIteratorInit(&spec->root);
  JsonbValue value;
  JsonbIteratorToken token;
  bool in_hierarchies = false;
  bool is_table = false;
  int depth = 0;
  while ((token = JsonbIteratorNext(&it, &value, false)) != WJB_DONE) {
    if (token == WJB_BEGIN_OBJECT || token == WJB_BEGIN_ARRAY) ++depth;
    if (token == WJB_END_OBJECT || token == WJB_END_ARRAY) --depth;
    if (token == WJB_KEY && depth == 1) in_hierarchies = is_key(value, "hierarchies");
    if (token == WJB_VALUE && is_table) value = translate(value, tables);
    is_table = token == WJB_KEY && ((depth == kDepth && in_hierarchies && is_key(value, "table")) ||
                                    (depth == 1 && is_key(value, "population")));
    root = pushJsonbValue(&state, token, token < WJB_BEGIN_ARRAY ? &value : nullptr);
  }
  return JsonbValueToJsonb(root);
}

JsonbValue place_for_name(const JsonbValue& name, NamedTables& tables) {
  if (name.type != jbvString) wrong_type("table", "the name of a table");
  const Oid table = relation_named(text_of(name), NoLock);
  int place = 0;
  while (place < tables.count && tables.tables[place] != table) ++place;
  if (place == tables.count) {
    const std::size_t bytes = sizeof(Oid) * static_cast<std::size_t>(place + 1);
    tables.tables = static_cast<Oid*>(tables.tables == nullptr ? palloc(bytes)
                                                               : repalloc(tables.tables, bytes));
    tables.tables[tables.count++] = table;
  }
  JsonbValue value;
  value.type = jbvNumeric;
  value.val.numeric = int64_to_numeric(place + 1);
  return value;
}

/// The table with this number; InvalidOid without one.
Oid table_at(const JsonbValue& place, const NamedTables& tables) {
  const double number = DatumGetFloat8(
      DirectFunctionCall1(numeric_float8_no_overflow, NumericGetDatum(place.val.numeric)));
  if (!(number >= 1 && number <= tables.count) || number != std::floor(number)) return InvalidOid;
  const Oid table = tables.tables[static_cast<int>(number) - 1];
  return get_rel_name(table) != nullptr ? table : InvalidOid;
}

JsonbValue name_for_place(const JsonbValue& place, NamedTables& tables) {
  if (place.type != jbvNumeric) return place;
  const Oid table = table_at(place, tables);
  if (!OidIsValid(table))
    ereport(ERROR, (errcode(ERRCODE_UNDEFINED_TABLE),
                    errmsg("the release does not name a relation of its spec")));
  JsonbValue value;
  value.type = jbvString;
  value.val.string.val = qualified_name_of(table);
  value.val.string.len = static_cast<int>(std::strlen(value.val.string.val));
  return value;
}

/// Marks the list as incomplete at a number without a table.
JsonbValue check_place(const JsonbValue& place, NamedTables& tables) {
  if (place.type == jbvNumeric && !OidIsValid(table_at(place, tables))) tables.count = -1;
  return place;
}

}  // namespace

Jsonb* places_for_tables(Jsonb* spec, NamedTables& tables) {
  return translated(spec, tables, place_for_name);
}

Jsonb* names_for_tables(Jsonb* spec, const NamedTables& tables) {
  NamedTables known = tables;
  return translated(spec, known, name_for_place);
}

bool names_all_tables(Jsonb* spec, const NamedTables& tables) {
  NamedTables known = tables;
  translated(spec, known, check_place);
  return known.count == tables.count;
}

NamedTables named_tables(Datum array) {
  Datum* elements;
  bool* nulls;
  int count;
  deconstruct_array(DatumGetArrayTypeP(array), REGCLASSOID, sizeof(Oid), true, TYPALIGN_INT,
                    &elements, &nulls, &count);
  NamedTables tables = {
      static_cast<Oid*>(palloc(sizeof(Oid) * static_cast<std::size_t>(count + 1))), count};
  for (int i = 0; i < count; ++i) {
    if (nulls[i])
      ereport(ERROR,
              (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("tables must not contain nulls")));
    tables.tables[i] = DatumGetObjectId(elements[i]);
  }
  return tables;
}

}  // namespace anonkit::pg
