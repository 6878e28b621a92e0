#include "pg/set/set_protected.hpp"

#include "pg/backend/json_build.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/protected_values.hpp"

namespace anonkit::pg {
namespace {

/// The hierarchies of columns that have protected values: those of others are of cells.
HierarchyChoices hierarchies_of_protected(const Spec& spec, TupleDesc descriptor) {
  HierarchyChoices own = {allocate<HierarchyChoice>(spec.hierarchies.count), 0};
  for (int h = 0; h < spec.hierarchies.count; ++h)
    for (int i = 0; i < spec.protected_values.count; ++i)
      if (find_column(descriptor, spec.hierarchies.list[h].column) ==
          find_column(descriptor, spec.protected_values.list[i].column))
        own.list[own.count++] = spec.hierarchies.list[h];
  return own;
}

/// The sensitive columns with their hierarchies and protected values.
Source protected_source(const SetTable& table) {
  Spec spec = *table.protected_spec;
  Relation relation = open_relation(table.relation);
  spec.sensitive = table.sensitive;
  spec.hierarchies = hierarchies_of_protected(spec, RelationGetDescr(relation));
  relation_close(relation, NoLock);
  return resolve_source(table.relation, spec);
}

}  // namespace

const Spec* protected_spec(Jsonb* options) {
  if (value_of_key(options, "protected") == nullptr) return nullptr;
  JsonObject json;
  for (const char* key : {"hierarchies", "protected"})
    if (const JsonbValue* value = value_of_key(options, key); value != nullptr)
      json.add_value(key, value);
  Spec* spec = allocate<Spec>(1);
  *spec = read_table_spec(json.finish());
  return spec;
}

int32* protected_codes(const SetTable& table, int a, const ValueRanks& ranks, int64 rows,
                       MemoryCount* memory) {
  if (table.protected_spec == nullptr || rows == 0) return nullptr;
  const Source source = protected_source(table);
  const SourceColumn& column = source.sensitive[a];
  if (column.protected_labels == nullptr) return nullptr;
  const ColumnHierarchy* hierarchy =
      read_hierarchy(column.name, column.base_type, ranks.values, values_of(ranks), ranks.has_null,
                     *column.hierarchy, *memory);
  const ProtectedValues* values = read_protected(column.name, hierarchy, *column.protected_labels);
  const int32* numbers = protected_numbers(*hierarchy, *values).data();
  count_memory(*memory, rows * static_cast<int64>(sizeof(int32)));
  int32* codes = allocate<int32>(rows);
  for (int64 row = 0; row < rows; ++row) {
    CHECK_FOR_INTERRUPTS();
    codes[row] = numbers[ranks.codes[row]];
  }
  return codes;
}

}  // namespace anonkit::pg
